import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

/** Every page that may hold a generated table. */
export const pages = (): string[] =>
  [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...readdirSync(path.join(projectFolder, 'docs')).map((name) => `docs/${name}`),
  ]
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(projectFolder, name))
    .filter((file) => existsSync(file));
