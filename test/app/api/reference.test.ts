import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { referenceTables } from '@/app/api/_http/openapi';
import { endpoints } from '@/app/api/v1/endpoints';
import { projectFolder } from '@/lib/config';

it('the tables of docs/api.md are true', async () => {
  const file = path.join(projectFolder, 'docs/api.md');
  let text = readFileSync(file, 'utf8');
  for (const [name, table] of Object.entries(referenceTables(endpoints))) {
    const marked = new RegExp(`<!-- ${name} -->[^]*<!-- /${name} -->`);
    expect(text).toMatch(marked);
    text = text.replace(marked, () => `<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
  }
  await expect(text).toMatchFileSnapshot(file);
});
