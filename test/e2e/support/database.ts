import path from 'node:path';
import pg from 'pg';
import { findEmbedded } from '@/db/embedded';
import { readSecrets } from '@/lib/config/secrets';

/** As in playwright.config.ts. */
export const home = path.resolve(process.env.TESSERA_E2E_HOME ?? 'test-results/instance');

/** A statement in the database of the instance under test, for what no page tells. */
export async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export function databaseUrl(): string | undefined {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const secrets = readSecrets(home);
  return secrets && findEmbedded(home, secrets.databasePassword)?.url();
}
