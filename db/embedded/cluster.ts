import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { TesseraError } from '@/lib/core/errors';
import { runAs } from './account';
import { binary } from './binaries';
import { explain } from './explain';
import type { Place } from './place';
import type { SettingsName } from './settings';

/** The one role and the one database of the embedded server. */
export const owner = 'tessera';

/** Creates the data folder, or checks that the one there is of this PostgreSQL. True when it is new. */
export function ensureCluster(place: Place, password: string, kind: SettingsName): boolean {
  const version = readVersion(place);
  if (version === undefined) {
    createCluster(place, password, kind);
    return true;
  }
  if (version !== String(place.binaries.major)) {
    throw new TesseraError(
      'unavailable',
      [
        `The database in ${place.data} was made by PostgreSQL ${version}; this Tessera brings PostgreSQL ${place.binaries.major}. It was left untouched. You can`,
        '  - start the release of Tessera that made it,',
        `  - run a PostgreSQL ${version} of your own on it and give its address as DATABASE_URL, or`,
        '  - start over: set TESSERA_HOME to an empty folder.',
      ].join('\n'),
    );
  }
  return false;
}

function readVersion({ data }: Place): string | undefined {
  const file = path.join(data, 'PG_VERSION');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !existsSync(data)) return undefined;
    if (code === 'ENOENT') {
      throw new TesseraError(
        'unavailable',
        `${data} exists but holds no PostgreSQL database. Move it away, or set TESSERA_HOME to another folder.`,
      );
    }
    throw explain('The database folder cannot be read', String(error), data);
  }
}

/** Made beside its place and renamed when whole: a start that is killed leaves nothing half-made. */
function createCluster(place: Place, password: string, kind: SettingsName): void {
  const half = `${place.data}.new`;
  const passwordFile = `${place.data}.password`;
  try {
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true, mode: 0o700 });
    writeFileSync(passwordFile, password, { mode: 0o600 });
    for (const each of [half, passwordFile]) {
      if (place.account) chownSync(each, place.account.uid, place.account.gid);
    }
    chmodSync(half, 0o700);
    initdb(place, half, passwordFile, kind);
    renameSync(half, place.data);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (error instanceof TesseraError) throw error;
    throw explain('The database folder cannot be made', String(error), place.data);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

function initdb(place: Place, folder: string, passwordFile: string, kind: SettingsName): void {
  const { status, stdout, stderr, error } = spawnSync(
    binary(place.binaries, 'initdb'),
    [
      `--pgdata=${folder}`,
      `--username=${owner}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // PostgreSQL's own collation: the order of text does not depend on what the system has installed.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(kind === 'throwaway' ? ['--no-sync'] : []),
    ],
    { ...runAs(place.account), encoding: 'utf8' },
  );
  if (status !== 0) {
    throw explain(
      'The database could not be created',
      error ? String(error) : `${stderr}${stdout}`,
      place.data,
    );
  }
}
