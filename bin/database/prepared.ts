import pg from 'pg';
import { projectFolder } from '@/lib/config';
import { hashOfInputs } from '../start/build-inputs';

/**
 * Prepares the database unless these very sources have done so before. The note lies in the database itself,
 * so that a restored backup or another database is never taken for prepared.
 */
export async function ensurePrepared(url: string): Promise<void> {
  const sources = hashOfInputs(projectFolder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if ((await preparedBy(client)) === sources) return;
    // Late, because it brings all job handlers with it, which most starts do not need here.
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
