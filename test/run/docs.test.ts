import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillTables, pages } from '@/bin/docs/fill';
import { tables } from '@/bin/docs/tables';
import { projectFolder } from '@/lib/config';

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

const withoutCode = (page: string) => page.replace(/```[\s\S]*?```/g, '');

/** As GitHub derives them from headings. */
const anchorsOf = (page: string) =>
  [...withoutCode(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(pages().map((file) => [path.relative(projectFolder, file), file]))('%s', (_, file) => {
  const page = withoutCode(readFileSync(file, 'utf8'));

  it('links to files and headings that exist', () => {
    const broken = [...page.matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ([link, target = '', anchor]) => {
        const found = target === '' ? file : path.join(path.dirname(file), target);
        if (!existsSync(found)) return [link];
        if (anchor === undefined || !found.endsWith('.md')) return [];
        return anchorsOf(readFileSync(found, 'utf8')).includes(anchor) ? [] : [link];
      },
    );
    expect(broken).toEqual([]);
  });
});
