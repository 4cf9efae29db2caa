import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillTables, pages } from '@/bin/docs/fill';
import { tables } from '@/bin/docs/tables';

describe('the generated tables of the docs', () => {
  it.each(pages().map((file) => [path.basename(file), file]))(
    'are true in %s; `npm run docs` makes them anew',
    async (_, file) => {
      const page = readFileSync(file, 'utf8');
      expect(page).toBe(await fillTables(page));
    },
  );

  it('are each in some page', () => {
    const all = pages().map((file) => readFileSync(file, 'utf8'));
    for (const { name } of tables) {
      expect(
        all.some((page) => page.includes(`<!-- table: ${name} -->`)),
        name,
      ).toBe(true);
    }
  });

  it('cannot be of a registry that does not exist', async () => {
    await expect(fillTables('<!-- table: recipes -->\n\n<!-- end -->')).rejects.toThrow('"recipes"');
  });
});
