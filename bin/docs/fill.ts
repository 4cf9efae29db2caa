import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { tables } from './tables';

const marker = /(<!-- table: ([a-z-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/** Replaces the generated tables of a page and keeps the rest. */
export async function fillTables(page: string): Promise<string> {
  const made = new Map<string, string>();
  for (const [, , name = ''] of page.matchAll(marker)) {
    const found = tables.find((each) => each.name === name);
    if (!found) throw new Error(`There is no generated table "${name}".`);
    made.set(name, await found.make());
  }
  return page.replace(marker, (_, opening: string, name: string, closing: string) =>
    [opening, made.get(name), closing].join(''),
  );
}

/** Every page that may hold a generated table. */
export const pages = (): string[] =>
  [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    ...readdirSync(path.join(projectFolder, 'docs'), { recursive: true, encoding: 'utf8' }).map(
      (name) => `docs/${name}`,
    ),
  ]
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(projectFolder, name))
    .filter((file) => existsSync(file));
