import type pg from 'pg';
import { TesseraError } from '@/lib/core/errors';
import type { BackupHead } from './layout';

interface Catalogue extends Pick<BackupHead, 'tables' | 'migrations'> {
  sequences: { name: string; value: string; isCalled: boolean }[];
}

/** What there is to copy: the database says it, so that a new table is never forgotten. */
export async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const { rows: there } = await client.query<{ is: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.blobs') is not null as is`,
  );
  if (!there[0]?.is)
    throw new TesseraError('unavailable', 'This database holds no Tessera: there is nothing to back up.');
  const migrations = await client.query<{ hash: string; createdAt: string }>(
    `select hash, created_at::text as "createdAt" from drizzle.__drizzle_migrations order by created_at, id`,
  );
  const names = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  );
  const sequences: Catalogue['sequences'] = [];
  for (const { name } of names.rows) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `select last_value::text as value, is_called as "isCalled" from public."${name}"`,
    );
    if (rows[0]) sequences.push({ name, ...rows[0] });
  }
  return { tables: await tablesOf(client), migrations: migrations.rows, sequences };
}

/** The tables of the database with the columns that are stored, in order. */
export async function tablesOf(client: pg.Client): Promise<BackupHead['tables']> {
  const { rows } = await client.query<BackupHead['tables'][number]>(`
    select t.relname as name, json_agg(json_build_object(
      'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class t
    join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    group by t.relname order by t.relname`);
  return rows;
}
