import pg from 'pg';
import { type EmbeddedServer, startEmbedded } from '@/db/embedded';
import type { Config } from '@/lib/config';
import { ensureHome } from '@/lib/config/home';
import { ensureSecrets } from '@/lib/config/secrets';
import { checkExternal, withoutPassword } from './external';

export interface OpenDatabase {
  url: string;
  /** For people: where the rows are. */
  where: string;
  embedded: EmbeddedServer | undefined;
  /** Leaves the server as it was found, unless somebody has come to use it in the meantime. */
  close(): Promise<void>;
}

/** The database of this installation: the one of DATABASE_URL, or the embedded one of TESSERA_HOME. */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.DATABASE_URL) {
    await checkExternal(config.DATABASE_URL);
    return {
      url: config.DATABASE_URL,
      where: withoutPassword(config.DATABASE_URL),
      embedded: undefined,
      close: async () => {},
    };
  }
  ensureHome(config.home);
  const embedded = await startEmbedded(config.home, ensureSecrets(config.home).databasePassword);
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
