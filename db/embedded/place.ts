import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { TesseraError } from '@/lib/core/errors';
import { type Account, accountFor, mayAccess } from './account';
import { type Binaries, binary, findBinaries } from './binaries';

/** Where root puts what another user must reach, when the checkout or TESSERA_HOME is closed to that user. */
const openFolder = '/var/lib/tessera';

export interface Place {
  data: string;
  binaries: Binaries;
  account: Account | undefined;
}

/**
 * Data lie in TESSERA_HOME and the binaries in node_modules, unless PostgreSQL has to run as a user who
 * cannot get there (a clone under /root, say). The folder outside is named after the password, which lies in
 * TESSERA_HOME: the next start finds the same database, and a new home at the same path gets one of its own.
 */
export function placeFor(home: string, password: string): Place {
  const inside = path.join(home, 'postgres');
  const outside = path.join(openFolder, fingerprint(password), 'postgres');
  const data = existsSync(outside) && !existsSync(inside) ? outside : inside;
  const account = accountFor(data);
  if (!account) return { data: inside, account, binaries: findBinaries() };

  if (data === inside && !mayAccess(account, home, 'x')) {
    if (existsSync(inside)) throw closed(inside, account);
    makeEnterable(path.dirname(outside));
    return { data: outside, account, binaries: reachable(findBinaries(), account) };
  }
  return { data, account, binaries: reachable(findBinaries(), account) };
}

function reachable(binaries: Binaries, account: Account): Binaries {
  if (mayAccess(account, binary(binaries, 'postgres'), 'x')) return binaries;
  const folder = path.join(openFolder, `postgresql-${binaries.version}-${process.arch}`);
  if (!existsSync(folder)) {
    // Copied beside and renamed: a copy that was interrupted is never taken for a whole one.
    const half = `${folder}.${process.pid}`;
    makeEnterable(openFolder);
    cpSync(binaries.folder, half, { recursive: true, verbatimSymlinks: true });
    try {
      renameSync(half, folder);
    } catch (error) {
      rmSync(half, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return { ...binaries, folder };
}

function makeEnterable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const each of [openFolder, folder]) chmodSync(each, 0o755);
}

const fingerprint = (password: string) => createHash('sha256').update(password).digest('hex').slice(0, 12);

const closed = (folder: string, account: Account) =>
  new TesseraError(
    'unavailable',
    `The database in ${folder} belongs to the user ${account.name}, who may no longer enter the folders above it. Let others pass through them again (chmod o+x on each), or set TESSERA_HOME to another folder.`,
  );
