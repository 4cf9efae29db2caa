import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { migrate, migrationsFolder } from '@/db/migrate';
import { TesseraError } from '@/lib/core/errors';
import { prepareQueues } from '@/workers/jobs';

/** Brings the tables of Tessera and of its queue up to this release, or says why that cannot be. */
export async function prepareDatabase(url: string): Promise<void> {
  await refuseNewer(url);
  await migrate(url);
  await prepareQueues(url);
}

/** Migrations only go forward: an older Tessera on a newer database would damage it slowly. */
async function refuseNewer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
    );
    if (!rows[0]?.exists) return;
    const applied = await client.query<{ last: string | null }>(
      'select max(created_at) as last from drizzle.__drizzle_migrations',
    );
    if (Number(applied.rows[0]?.last ?? 0) > lastKnownMigration()) {
      throw new TesseraError(
        'unavailable',
        'The database was made by a newer release of Tessera. Start that release, or use another database (TESSERA_HOME or DATABASE_URL).',
      );
    }
  } finally {
    await client.end();
  }
}

function lastKnownMigration(): number {
  const journal = JSON.parse(readFileSync(path.join(migrationsFolder, 'meta', '_journal.json'), 'utf8'));
  return Math.max(...journal.entries.map((entry: { when: number }) => entry.when));
}
