import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';

export const migrationsFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), 'migrations');

/**
 * The migrations of the development versions before 0.1.0, which the initial migration replaces. They stay because
 * databases and backups of these versions exist.
 */
export const prereleaseFolder = path.join(migrationsFolder, 'prerelease');

/** Any number, shared by all processes that start on one database, so that only one of them migrates. */
const migrationLock = 7_355_608;

/** Applies the migrations that the database lacks, all in one transaction. */
export async function migrate(url: string, folder: string = migrationsFolder): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const db = drizzle(client);
    await db.execute(sql`select pg_advisory_lock(${migrationLock})`);
    if (folder === migrationsFolder) await adoptPrerelease(db);
    await runMigrations(db, { migrationsFolder: folder });
  } finally {
    await client.end();
  }
}

/**
 * Turns a database of a development version into one that was created by the initial migration: applies the
 * pre-release migrations it lacks, then replaces their records by that of the initial migration.
 */
async function adoptPrerelease(db: NodePgDatabase): Promise<void> {
  const prerelease = readMigrationFiles({ migrationsFolder: prereleaseFolder });
  const [initial] = readMigrationFiles({ migrationsFolder });
  if (!initial || !(await isPrerelease(db, prerelease))) return;
  await runMigrations(db, { migrationsFolder: prereleaseFolder });
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from drizzle.__drizzle_migrations`);
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at)
          values (${initial.hash}, ${initial.folderMillis})`,
    );
  });
}

async function isPrerelease(db: NodePgDatabase, [first]: MigrationMeta[]): Promise<boolean> {
  const { rows } = await db.execute<{ exists: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (!rows[0]?.exists) return false;
  const found = await db.execute(sql`select from drizzle.__drizzle_migrations where hash = ${first?.hash}`);
  return found.rowCount === 1;
}
