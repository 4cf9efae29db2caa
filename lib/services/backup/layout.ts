import type pg from 'pg';
import { z } from 'zod';
import { TesseraError } from '@/lib/core/errors';

/**
 * A backup is a list of files in this order, as a folder or as one tar:
 *
 *   backup.json                 what it is, and of which tables
 *   secrets.json                what signs sessions and links, unless it was left out
 *   database/<table>/<n>.jsonl  rows, one JSON list of texts each
 *   database/sequences.json     where numbering goes on
 *   queue.jsonl                 jobs that wait, run or failed, with their input
 *   blobs/ab/cd/<sha256>        the files
 *   manifest.json               the SHA-256 of everything above: written last, so a cut backup has none
 */
export const headFile = 'backup.json';
export const secretsFile = 'secrets.json';
export const sequencesFile = 'database/sequences.json';
export const queueFile = 'queue.jsonl';
export const manifestFile = 'manifest.json';

export const blobPath = (sha256: string): string =>
  `blobs/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export const chunkPath = (table: string, number: number): string =>
  `database/${table}/${String(number).padStart(6, '0')}.jsonl`;

export const BackupHead = z.object({
  format: z.literal('tessera-backup'),
  formatVersion: z.literal(1),
  release: z.string(),
  createdAt: z.string(),
  /** In the order of application. */
  migrations: z.array(z.object({ hash: z.string(), createdAt: z.string() })),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.object({ name: z.string(), type: z.string() })) }),
  ),
});

export type BackupHead = z.infer<typeof BackupHead>;

export const BackupManifest = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
  rows: z.record(z.string(), z.number()),
  blobs: z.object({ count: z.number(), bytes: z.number() }),
  queued: z.number(),
  /** Stored files that were missing or damaged at the time of the backup. */
  damaged: z.array(z.string()),
});

export type BackupManifest = z.infer<typeof BackupManifest>;

export const Sequences = z.array(
  z.object({ name: z.string(), value: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() }),
);

/** Printable text without line breaks, because it becomes a line of a file. */
const oneLine = /^[^\p{Cc}]+$/u;

export const BackupSecrets = z.object({
  secret: z.string().min(32).max(1000).regex(oneLine).optional(),
  demoPassword: z.string().max(1000).regex(oneLine).optional(),
});

export type BackupSecrets = z.infer<typeof BackupSecrets>;

/** A queued job: kind, id, input as JSON, and whether it failed permanently. */
export const QueuedJob = z.tuple([z.string(), z.uuid(), z.string().nullable(), z.boolean()]);

export type QueuedJob = z.infer<typeof QueuedJob>;

interface Catalogue extends Pick<BackupHead, 'tables' | 'migrations'> {
  sequences: { name: string; value: string; isCalled: boolean }[];
}

/** The tables to copy, read from the database so that new tables are included. */
export async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const { rows: there } = await client.query<{ is: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null and to_regclass('public.blobs') is not null as is`,
  );
  if (!there[0]?.is)
    throw new TesseraError('unavailable', 'The database contains no Tessera data. Check DATABASE_URL.');
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

/** Lists the tables with their stored columns, in order. */
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
