import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

export const migrationsFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), 'migrations');

/** Any number; all starters of one database must share it so that only one of them migrates. */
const migrationLock = 7_355_608;

/** Brings the database up to this release. All new steps happen in one transaction, or none. */
export async function migrate(url: string, folder: string = migrationsFolder): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const db = drizzle(client);
    await db.execute(sql`select pg_advisory_lock(${migrationLock})`);
    await runMigrations(db, { migrationsFolder: folder });
  } finally {
    await client.end();
  }
}
