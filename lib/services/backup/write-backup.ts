import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Storage } from '@/lib/services/storage';
import { backupLock, isReferenced } from '@/lib/services/storage/collect-blobs';
import type { BackupSink } from './archives';
import {
  type BackupHead,
  type BackupManifest,
  type BackupSecrets,
  blobPath,
  catalogueOf,
  chunkPath,
  headFile,
  manifestFile,
  queueFile,
  secretsFile,
  sequencesFile,
} from './layout';

export interface Backup {
  /** A dedicated connection, which stays in one transaction. */
  client: pg.Client;
  storage: Storage;
  sink: BackupSink;
  release: string;
  /** Null to exclude them. */
  secrets: BackupSecrets | null;
  onProgress?: (text: string) => void;
}

/** Rows fetched at a time, and bytes of them in one file. */
const FETCH = 500;
const CHUNK = 4 * 1024 * 1024;

/**
 * Writes a backup: the rows of one snapshot, then the files they reference. It blocks nothing except the garbage
 * collector, which tries again the next day.
 */
export async function writeBackup(backup: Backup): Promise<BackupManifest> {
  const { client } = backup;
  await client.query('select pg_advisory_lock($1)', [backupLock]);
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    return await write(backup);
  } finally {
    await client.query('rollback').catch(() => {});
    await client.query('select pg_advisory_unlock($1)', [backupLock]).catch(() => {});
  }
}

async function write({
  client,
  storage,
  sink,
  release,
  secrets,
  onProgress,
}: Backup): Promise<BackupManifest> {
  const manifest: BackupManifest = {
    files: [],
    rows: {},
    blobs: { count: 0, bytes: 0 },
    queued: 0,
    damaged: [],
  };
  const put = async (path: string, content: Uint8Array) => {
    const { sha256 } = await sink.write(path, content.byteLength, content);
    manifest.files.push({ path, bytes: content.byteLength, sha256 });
  };
  const { tables, migrations, sequences } = await catalogueOf(client);
  const head: BackupHead = {
    format: 'tessera-backup',
    formatVersion: 1,
    release,
    createdAt: new Date().toISOString(),
    migrations,
    tables,
  };
  await put(headFile, asJson(head));
  if (secrets) await put(secretsFile, asJson(secrets));

  for (const { name, columns } of tables) {
    onProgress?.(name);
    const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
    const statement = `select json_build_array(${texts})::text as line from public."${name}"`;
    let number = 0;
    manifest.rows[name] = 0;
    for await (const { lines, count } of chunksOf(client, statement)) {
      number += 1;
      manifest.rows[name] += count;
      await put(chunkPath(name, number), lines);
    }
  }
  await put(sequencesFile, asJson(sequences));
  const queued = `select json_build_array(name, id, data::text, state = 'failed')::text as line from pgboss.job
    where state in ('created', 'retry', 'active', 'failed') order by created_on, id`;
  const waiting: Uint8Array[] = [];
  for await (const { lines, count } of chunksOf(client, queued)) {
    manifest.queued += count;
    waiting.push(lines);
  }
  await put(queueFile, Buffer.concat(waiting));

  for await (const sha256 of blobsOf(client)) {
    const found = await storage.stat(sha256);
    if (!found) {
      if (await isReferenced(drizzle(client), sha256)) manifest.damaged.push(sha256);
      continue;
    }
    const path = blobPath(sha256);
    const content = (await storage.get(sha256)) as AsyncIterable<Uint8Array>;
    const written = await sink.write(path, found.bytes, content);
    manifest.files.push({ path, bytes: found.bytes, sha256: written.sha256 });
    if (written.sha256 !== sha256) manifest.damaged.push(sha256);
    manifest.blobs.count += 1;
    manifest.blobs.bytes += found.bytes;
    onProgress?.(`${manifest.blobs.count} files`);
  }
  const text = asJson(manifest);
  await sink.write(manifestFile, text.byteLength, text);
  return manifest;
}

const asJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);

/** Yields the result of a statement in chunks that fit into memory. */
async function* chunksOf(client: pg.Client, statement: string) {
  await client.query(`declare lines no scroll cursor for ${statement}`);
  let lines: string[] = [];
  let size = 0;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${FETCH} from lines`);
    for (const { line } of rows) {
      lines.push(line);
      size += line.length;
    }
    const isLast = rows.length < FETCH;
    if (lines.length > 0 && (size >= CHUNK || isLast)) {
      // PostgreSQL's JSON text can contain newlines between values, never within them.
      yield {
        lines: Buffer.from(`${lines.map((line) => line.replaceAll('\n', ' ')).join('\n')}\n`),
        count: lines.length,
      };
      lines = [];
      size = 0;
    }
    if (isLast) break;
  }
  await client.query('close lines');
}

async function* blobsOf(client: pg.Client) {
  await client.query('declare files no scroll cursor for select sha256 from public.blobs order by sha256');
  for (;;) {
    const { rows } = await client.query<{ sha256: string }>(`fetch ${FETCH} from files`);
    for (const { sha256 } of rows) yield sha256;
    if (rows.length < FETCH) return;
  }
}
