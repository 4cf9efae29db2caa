import { boot } from './boot.mjs';

await boot();
const { test } = await import('./test/main.ts');
process.exit(await test(process.argv.slice(2)));
