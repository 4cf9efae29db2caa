import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedServer, findEmbedded, startEmbedded } from '@/db/embedded';
import type { Config } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { ensureSecrets } from '@/lib/config/secrets';
import { TesseraError } from '@/lib/core/errors';
import { lockHolder, startLock } from '../start/lock';

interface OpenDatabase {
  url: string;
  /** For people: where the rows are. */
  where: string;
  embedded: EmbeddedServer | undefined;
  /** Leaves the server as it was found, unless somebody has come to use it in the meantime. */
  close(): Promise<void>;
}

/** How long PostgreSQL may need to be there again, its log replayed. */
const comesBackWithinMs = 120_000;

/** The database of this installation: the one of DATABASE_URL, or the embedded one of TESSERA_HOME. */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.DATABASE_URL) {
    // Web and worker of an instance: the database was there when the starter began, and comes back.
    if (process.send) await untilAnswering(config.DATABASE_URL, comesBackWithinMs);
    await checkExternal(config.DATABASE_URL);
    return {
      url: config.DATABASE_URL,
      where: withoutPassword(config.DATABASE_URL),
      embedded: undefined,
      close: async () => {},
    };
  }
  ensureHome(config.home);
  const password = ensureSecrets(config.home).databasePassword;
  await untilStarterHasIt(config.home, password);
  const embedded = await startEmbedded(config.home, password);
  const { data, account } = embedded.place;
  return {
    url: embedded.url(),
    where: account ? `${data} (PostgreSQL runs as the user ${account.name})` : data,
    embedded,
    async close() {
      if (!embedded.wasRunning && !(await isInUse(embedded.url('postgres')))) await embedded.stop();
    },
  };
}

/**
 * Where an instance runs, its starter brings a database that died back at the address that web and worker know.
 * A command that came first would start it somewhere else, and they would never find it.
 */
async function untilStarterHasIt(home: string, password: string): Promise<void> {
  const deadline = performance.now() + comesBackWithinMs;
  for (;;) {
    const holder = lockHolder(startLock(home));
    if (!holder || holder.pid === process.pid || findEmbedded(home, password)) return;
    if (performance.now() > deadline)
      throw new TesseraError(
        'unavailable',
        `Tessera runs on ${home} (process ${holder.pid}), but its database is not there. If it uses another one, set DATABASE_URL here too.`,
      );
    await sleep(100);
  }
}

async function isInUse(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    );
    return rowCount !== 0;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

const oldestMajor = 15;

const faults: { sign: RegExp; message: string }[] = [
  { sign: /ENOTFOUND|EAI_AGAIN/, message: 'There is no host of that name. Check the host in DATABASE_URL.' },
  {
    sign: /ECONNREFUSED/,
    message: 'Nothing answers at that host and port. Is PostgreSQL running, and is the port right?',
  },
  {
    sign: /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/i,
    message: 'The host does not answer. Check the address and the firewall.',
  },
  {
    sign: /28P01|28000|SASL|SCRAM/,
    message: 'The user or the password is wrong, or pg_hba.conf does not let it in.',
  },
  { sign: /3D000/, message: 'The database does not exist. Create it first (createdb), or correct its name.' },
  { sign: /53300/, message: 'The server has no free connection. Raise max_connections.' },
  { sign: /SSL|TLS|certificate/i, message: 'The encrypted connection failed. See `sslmode` in the address.' },
];

/** "Nobody there", "starting up", "shutting down": what a PostgreSQL that is restarted says until it is back. */
const passing = /ECONNREFUSED|ECONNRESET|ETIMEDOUT|57P0[123]|Connection terminated|timeout/;
const lookEveryMs = 250;

/** For a process that is started again because something died: the database may have died with it. */
async function untilAnswering(url: string, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    const refusal = await client.connect().then(
      () => undefined,
      (error: Error & { code?: string }) => `${error.code ?? ''} ${error.message}`,
    );
    await client.end().catch(() => {});
    if (refusal === undefined || !passing.test(refusal) || performance.now() > deadline) return;
    await sleep(lookEveryMs);
  }
}

/** Checks the PostgreSQL given by DATABASE_URL before anything is done with it. */
async function checkExternal(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    const known = faults.find(({ sign }) => sign.test(`${code} ${message}`));
    throw refused(url, `${known?.message ?? 'It refused the connection.'} (${message || code})`);
  }
  try {
    const { rows } = await client.query<{ major: number; version: string; may: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version,
        has_database_privilege(current_database(), 'CREATE') as may`,
    );
    const [server] = rows;
    if (!server) throw refused(url, 'It does not report its version.');
    if (server.major < oldestMajor) {
      throw refused(url, `It is PostgreSQL ${server.version}; Tessera needs ${oldestMajor} or newer.`);
    }
    if (!server.may) {
      throw refused(url, 'The user may not create tables there. Grant it: GRANT CREATE ON DATABASE … TO …');
    }
  } finally {
    await client.end();
  }
}

const refused = (url: string, message: string) =>
  new TesseraError(
    'unavailable',
    `The database of DATABASE_URL (${withoutPassword(url)}) cannot be used. ${message}`,
  );

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}
