import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as schema from './schema';
import { watchStatements } from './watch-statements';

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool };
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** A service that only reads or that joins its caller's transaction takes either. */
export type Db = Database | Transaction;

export function connect(url: string, options: { max?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that the server closes must not take the process down; the next query reconnects.
  pool.on('error', () => {});
  watchStatements(pool);
  return drizzle(pool, { schema });
}

/** One pool per process, also across Next's module reloads in development. */
const held = globalThis as { tesseraDatabase?: Database };

export function database(): Database {
  if (!held.tesseraDatabase) {
    const url = process.env.DATABASE_URL;
    if (!url) throw new Error('DATABASE_URL is not set: start Tessera with `npm start`.');
    // Checked with the rest of the environment by `readConfig`, which this ring does not know.
    held.tesseraDatabase = connect(url, { max: Number(process.env.TESSERA_DATABASE_POOL) || undefined });
  }
  return held.tesseraDatabase;
}

/** Closes that pool; the next call of `database()` opens another one. */
export async function forgetDatabase(): Promise<void> {
  const known = held.tesseraDatabase;
  delete held.tesseraDatabase;
  await known?.$client.end();
}
