import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';

/** A file that moves leaves names behind that no compiler looks at. */
const folders = ['app', 'bench', 'bin', 'db', 'docs', 'lib', 'test', 'workers'];
const endings = ['', '.ts', '.tsx', '.mjs', '.test.ts', '.test.tsx', '.spec.ts'];

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file));

const textOf = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8');
const isThere = (name: string) =>
  endings.some((ending) => existsSync(path.join(projectFolder, `${name}${ending}`)));

it('pages name only files that exist', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)];
  const missing = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`([a-z]+)(\/[^\s`*<>{}]+)`/g)]
      .filter(([, folder = '', rest]) => folders.includes(folder) && !isThere(`${folder}${rest}`))
      .map(([name]) => `${page}: ${name}`),
  );
  expect(missing).toEqual([]);
});

it('scripts and tests find the files that they open beside themselves', () => {
  const sources = ['bench', 'bin', 'db', 'lib', 'test'].flatMap((folder) =>
    filesIn(folder, /\.(ts|tsx|mjs)$/),
  );
  const missing = sources.flatMap((file) => {
    const self = pathToFileURL(path.join(projectFolder, file));
    return [...textOf(file).matchAll(/new URL\('(\.[^']*)', import\.meta\.url\)/g)]
      .filter(([, target = '']) => !existsSync(fileURLToPath(new URL(target, self))))
      .map(([name]) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});
