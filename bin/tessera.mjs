#!/usr/bin/env node
import { boot } from './boot.mjs';

await boot();
const { main } = await import('./main.ts');
await main(process.argv.slice(2));
