import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedServer, findEmbedded, startEmbedded } from '@/db/embedded';
import type { Config } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { ensureSecrets } from '@/lib/config/secrets';
import { TesseraError } from '@/lib/core/errors';
import { lockHolder, startLock } from '../start/lock';
import { checkExternal, untilAnswering, withoutPassword } from './external';

export interface OpenDatabase {
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
