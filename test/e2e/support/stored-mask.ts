import path from 'node:path';
import pg from 'pg';
import { findEmbedded } from '@/db/embedded';
import { readSecrets } from '@/lib/config/secrets';

/** As in playwright.config.ts. */
const home = path.resolve(process.env.TESSERA_E2E_HOME ?? 'test-results/instance');

export const storedMask = async (leaseId: string) => (await storedAnswer(leaseId)).mask;

/** The answer to a lease, as the database of the instance under test holds it. */
export async function storedAnswer(leaseId: string): Promise<{ value?: unknown; mask?: string }> {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  try {
    const { rows } = await client.query('select value, mask from answers where lease_id = $1', [leaseId]);
    return rows[0] ?? {};
  } finally {
    await client.end();
  }
}

function databaseUrl(): string | undefined {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const secrets = readSecrets(home);
  return secrets && findEmbedded(home, secrets.databasePassword)?.url();
}
