import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

/** Lists all pages of the documentation. */
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
