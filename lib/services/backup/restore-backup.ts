import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { fromDrizzle } from 'pg-boss';
import type { Database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { withQueue } from '@/lib/services/jobs/queue';
import { isSha256, readAll, type Storage } from '@/lib/services/storage';
import { type BackupEntry, parseJson } from './archives';
import {
  BackupHead,
  BackupManifest,
  BackupSecrets,
  blobPath,
  headFile,
  manifestFile,
  QueuedJob,
  queueFile,
  Sequences,
  secretsFile,
  sequencesFile,
  tablesOf,
} from './layout';
import { buildSchema, loosenTables, type Migrations } from './restore-schema';

interface Restoring {
  client: pg.Client;
  storage: Storage;
  entries: AsyncIterable<BackupEntry>;
  migrations: Migrations;
  /** Discard existing data. */
  force: boolean;
  onProgress?: (text: string) => void;
}

interface Restored {
  head: BackupHead;
  manifest: BackupManifest;
  secrets: BackupSecrets | null;
  queued: QueuedJob[];
}

/** Row files have at most 4 MB plus one row. */
const MAX_FILE_BYTES = 512 * 1024 * 1024;

const damaged = (what: string) =>
  new TesseraError('invalid', `The backup is damaged: ${what}. Nothing was changed.`);

/**
 * Restores a backup. The database changes in one transaction after the last hash was verified. Files are stored first
 * under their hashes, so files of a failed attempt are harmless.
 */
export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { client } = restoring;
  await requireNoSessions(client);
  await client.query('begin');
  try {
    const restored = await restore(restoring);
    await client.query('commit');
    return restored;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw isAboutRows(error) ? damaged(`its rows do not fit (${error.message})`) : error;
  }
}

/** Whether PostgreSQL rejected values (22), constraints (23) or unknown names (42). */
const isAboutRows = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(22|23|42(?!501))[0-9A-Z]*$/.test(String(error.code));

/** Requires that no Tessera process is connected, because its in-memory state would belong to another database. */
async function requireNoSessions(client: pg.Client): Promise<void> {
  // A session takes a moment to disappear after its program ended.
  for (let looks = 0; looks < 20; looks++) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' limit 1`,
    );
    if (!rowCount) return;
    await sleep(100);
  }
  throw new TesseraError('conflict', 'The database is in use. Stop Tessera first.');
}

async function restore(restoring: Restoring): Promise<Restored> {
  const { client, storage, entries, force, onProgress } = restoring;
  const seen = new Map<string, { bytes: number; sha256: string }>();
  const rows: Record<string, number> = {};
  const broken: string[] = [];
  let head: BackupHead | undefined;
  let manifest: BackupManifest | undefined;
  let tighten: (() => Promise<void>) | undefined;
  let secrets: BackupSecrets | null = null;
  let queued: QueuedJob[] = [];

  for await (const { path, bytes, content } of entries) {
    if (manifest) throw damaged('something follows its manifest');
    if (seen.has(path)) throw damaged(`it contains ${path} twice`);
    const hash = createHash('sha256');
    const hashed = hashing(content, hash);
    const text = async () => (await readAll(hashed, MAX_FILE_BYTES)).toString();
    if (!head) {
      head = readHead(path, await text());
      await requireEmpty(client, force);
      await buildSchema(client, head, restoring.migrations);
      await requireOwnTables(client, head);
      tighten = await loosenTables(client);
    } else if (path === secretsFile) secrets = read(BackupSecrets, await text(), path);
    else if (path === sequencesFile) await setSequences(client, read(Sequences, await text(), path));
    else if (path === queueFile) queued = linesOf(await text()).map((line) => read(QueuedJob, line, path));
    else if (path === manifestFile) manifest = read(BackupManifest, await text(), path);
    else if (path.startsWith('database/')) {
      const name = /^database\/([^/]+)\/\d{6,}\.jsonl$/.exec(path)?.[1] ?? '';
      onProgress?.(name);
      rows[name] = (rows[name] ?? 0) + (await insertRows(client, head, name, linesOf(await text())));
    } else if (path.startsWith('blobs/')) {
      const name = path.split('/').at(-1) ?? '';
      if (!isSha256(name) || path !== blobPath(name)) throw damaged(`${path} has no name of a file`);
      const staged = await storage.stage(hashed);
      if (staged.sha256 === name) await staged.place();
      else {
        await staged.discard();
        broken.push(name);
      }
      onProgress?.(`${seen.size} files`);
    } else throw damaged(`it holds ${path}, which is not known`);
    seen.set(path, { bytes, sha256: hash.digest('hex') });
  }
  if (!head || !manifest || !tighten) throw damaged('it is cut short, its manifest is missing');
  compare(manifest, seen, rows, broken);
  onProgress?.('checking references');
  await tighten();
  return { head, manifest, secrets, queued };
}

async function* hashing(content: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

function readHead(path: string, text: string): BackupHead {
  const value = path === headFile ? parseJson(text) : undefined;
  const { format, formatVersion } = (value ?? {}) as Partial<BackupHead>;
  if (format !== 'tessera-backup') throw new TesseraError('invalid', 'This is not a Tessera backup.');
  if (formatVersion !== 1)
    throw new TesseraError(
      'invalid',
      'The backup was made by a newer release of Tessera. Restore it with that release.',
    );
  return read(BackupHead, text, path);
}

function read<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } },
  text: string,
  path: string,
): T {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw damaged(`${path} cannot be read`);
  return parsed.data;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** An instance with users must not be overwritten; everything else can be recreated. */
async function requireEmpty(client: pg.Client, force: boolean): Promise<void> {
  if (force) return;
  const { rows: there } = await client.query<{ is: boolean }>(
    `select to_regclass('public.users') is not null as is`,
  );
  if (!there[0]?.is) return;
  const { rowCount } = await client.query('select 1 from public.users limit 1');
  if (rowCount)
    throw new TesseraError(
      'conflict',
      'This Tessera is not empty. Restore into an empty one (another TESSERA_HOME or DATABASE_URL), or discard the existing data with --force.',
    );
}

/**
 * Compares the tables listed in the backup with those that the migrations of its release create. Names and types
 * become part of SQL statements, so only names and types of the database itself are accepted.
 */
async function requireOwnTables(client: pg.Client, head: BackupHead): Promise<void> {
  const made = await tablesOf(client);
  const known = new Map(made.map((table) => [table.name, JSON.stringify(table.columns.map(plain))]));
  for (const { name, columns } of head.tables)
    if (known.get(name) !== JSON.stringify(columns.map(plain)))
      throw damaged(`its table ${name.slice(0, 80)} is not one of its release`);
  if (new Set(head.tables.map(({ name }) => name)).size !== made.length)
    throw damaged('tables of its release are missing');
}

const plain = ({ name, type }: { name: string; type: string }) => [name, type];

async function insertRows(
  client: pg.Client,
  head: BackupHead,
  name: string,
  lines: readonly string[],
): Promise<number> {
  const table = head.tables.find((each) => each.name === name);
  if (!table) throw damaged(`it has rows of the table ${name}, which it does not list`);
  const names = table.columns.map((column) => quoted(column.name)).join(', ');
  const values = table.columns.map(({ type }, n) => `(line ->> ${n})::${type}`).join(', ');
  const { rowCount } = await client.query(
    `insert into public.${quoted(name)} (${names}) overriding system value
      select ${values} from json_array_elements($1::json) as line`,
    [`[${lines.join(',')}]`],
  );
  return rowCount ?? 0;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

async function setSequences(
  client: pg.Client,
  sequences: readonly { name: string; value: string; isCalled: boolean }[],
) {
  for (const { name, value, isCalled } of sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [
      `public.${quoted(name)}`,
      value,
      isCalled,
    ]);
}

function compare(
  manifest: BackupManifest,
  seen: ReadonlyMap<string, { bytes: number; sha256: string }>,
  rows: Readonly<Record<string, number>>,
  broken: readonly string[],
): void {
  for (const { path, bytes, sha256 } of manifest.files) {
    const found = seen.get(path);
    if (!found) throw damaged(`${path} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256) throw damaged(`${path} is not what was written`);
  }
  // Includes the manifest.
  if (seen.size !== manifest.files.length + 1)
    throw damaged('it holds files that its manifest does not list');
  for (const [name, count] of Object.entries(manifest.rows))
    if ((rows[name] ?? 0) !== count) throw damaged(`${name} has ${rows[name] ?? 0} rows, not ${count}`);
  const unexpected = broken.find((name) => !manifest.damaged.includes(name));
  if (unexpected) throw damaged(`the file ${unexpected} does not hash to its name`);
}

/**
 * Enqueues the jobs of a backup under their ids: waiting and running jobs start again, and failed jobs can be retried by
 * hand. Returns the number of started jobs.
 */
export async function requeue(
  db: Database,
  queued: readonly QueuedJob[],
  kinds: readonly string[],
): Promise<number> {
  return db.transaction(async (tx) => {
    let begun = 0;
    for (const [kind, id, data, hasFailed] of queued) {
      // This release no longer has the kind; its row reports that the queue lost it.
      if (!kinds.includes(kind)) continue;
      const input = data === null ? null : (JSON.parse(data) as object);
      await withQueue(tx, (queue) => queue.send(kind, input, { id, db: fromDrizzle(tx, sql) }));
      if (hasFailed)
        await tx.execute(sql`
          update pgboss.job set state = 'failed', completed_on = now() where name = ${kind} and id = ${id}`);
      else begun += 1;
    }
    await tx.execute(sql`
      update jobs set state = 'queued', text = '', error = null, updated_at = now()
      where state in ('running', 'retrying')`);
    // The next start checks the release of the database.
    await tx.execute(sql`delete from settings where key = 'prepared-by'`);
    return begun;
  });
}
