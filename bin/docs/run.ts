import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { schemaFile, schemaFileText } from '@/lib/core/training-spec';
import { fillTables, pages } from './fill';

/**
 * `npm run docs`: regenerates the tables of the docs and the schema with which the trainer validates its spec.
 * A test tells when that is due.
 */
function renew(file: string, before: string, after: string) {
  if (after === before) return;
  writeFileSync(file, after);
  console.log(`${file} is up to date again.`);
}

for (const file of pages()) {
  const before = readFileSync(file, 'utf8');
  renew(file, before, await fillTables(before));
}
const schema = path.join(projectFolder, schemaFile);
renew(schema, existsSync(schema) ? readFileSync(schema, 'utf8') : '', schemaFileText());
