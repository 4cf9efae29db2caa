import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const app = fileURLToPath(new URL('../../../app', import.meta.url));

/** Parameters may be named differently in a folder and in a link: only their place counts. */
export const normalise = (path: string) => path.replace(/\[[^\]]+\]/g, '[]');

/** The address of every page file, without route groups. */
export function pageRoutes(): Set<string> {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' });
  return new Set(
    files
      .filter((file) => /(^|\/)page\.tsx$/.test(file))
      .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`.replace(/\/\([^)]+\)/g, ''))
      .map((path) => normalise(path || '/')),
  );
}
