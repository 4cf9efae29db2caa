import { boot } from './boot.mjs';

await boot();
const { test } = await import('./test-suites.ts');
process.exit(await test(process.argv.slice(2)));
