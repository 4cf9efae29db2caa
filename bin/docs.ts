import { readFileSync, writeFileSync } from 'node:fs';
import { fillTables } from './docs/fill';
import { pages } from './docs/pages';

/** `npx tsx bin/docs.ts`: makes the generated tables of the docs anew. A test tells when that is due. */
for (const file of pages()) {
  const before = readFileSync(file, 'utf8');
  const after = await fillTables(before);
  if (after === before) continue;
  writeFileSync(file, after);
  console.log(`${file} is up to date again.`);
}
