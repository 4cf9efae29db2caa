import pg from 'pg';
import { type Database, database } from '@/db';
import { type Config, projectFolder, readConfig } from '@/lib/config';
import { ensureSecrets, type Secrets } from '@/lib/config/secrets';
import { systemActor } from '@/lib/core/actor';
import { type Remote, readRemote } from '../remote';
import { hashOfInputs } from '../start/build';
import { lockHolder, startLock } from '../start/lock';
import { openDatabase } from './open';

interface Entered extends AsyncDisposable {
  db: Database;
}

/**
 * Gives a command the same environment as web and worker. On the server it connects to the database of the running
 * instance, or starts PostgreSQL until the command ends.
 */
export async function enterDatabase(): Promise<Entered> {
  keepFilesPrivate();
  const config = readConfig();
  const open = await openDatabase(config);
  // A running instance has already prepared its database, and only its release may change the tables.
  if (!process.send && !lockHolder(startLock(config.home))) await ensurePrepared(open.url);
  Object.assign(process.env, runtimeEnvironment(config, ensureSecrets(config.home), open.url));
  return {
    db: database(),
    async [Symbol.asyncDispose]() {
      await database().$client.end();
      await open.close();
    },
  };
}

/** Runs `local` on the database of this machine, or `elsewhere` on the remote instance that `--url` names. */
export async function localOrRemote<T>(
  values: { url?: string; key?: string },
  local: (db: Database) => Promise<T>,
  elsewhere: (remote: Remote) => Promise<T>,
): Promise<T> {
  const remote = readRemote(values);
  if (remote) return elsewhere(remote);
  await using entered = await enterDatabase();
  return await local(entered.db);
}

/** The actor of commands run on the server: it has all rights, and the activity log names it. */
export const commandLine = systemActor('command line');

/** The environment of web and worker. It is always complete, so that they need no defaults. */
export function runtimeEnvironment(config: Config, secrets: Secrets, databaseUrl: string) {
  return {
    HOST: config.HOST,
    PORT: String(config.PORT),
    TESSERA_HOME: config.home,
    TESSERA_URL: config.url,
    TESSERA_SECRET: config.TESSERA_SECRET ?? secrets.secret,
    DATABASE_URL: databaseUrl,
    NEXT_TELEMETRY_DISABLED: '1',
  };
}

/** Makes new files (pictures, logs, secrets) readable by their owner only. */
export const keepFilesPrivate = () => process.umask(0o077);

/**
 * Prepares the database, unless the same sources have already done so. The marker is stored in the database itself, so
 * that a restored backup or another database is always prepared.
 */
export async function ensurePrepared(url: string): Promise<void> {
  const sources = hashOfInputs(projectFolder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if ((await preparedBy(client)) === sources) return;
    // Loaded on demand: it imports all job handlers, which most starts do not need.
    const { prepareDatabase } = await import('./prepare');
    await prepareDatabase(url);
    await client.query(
      `insert into settings (key, value) values ('prepared-by', to_jsonb($1::text))
       on conflict (key) do update set value = excluded.value, updated_at = now()`,
      [sources],
    );
  } finally {
    await client.end();
  }
}

async function preparedBy(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('settings') is not null as exists`,
  );
  if (!rows[0]?.exists) return undefined;
  const found = await client.query<{ value: string }>(`select value from settings where key = 'prepared-by'`);
  return found.rows[0]?.value;
}
