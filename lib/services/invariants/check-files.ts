import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Storage } from '@/lib/services/storage';
import { isReferenced } from '@/lib/services/storage/collect-blobs';
import type { Outcome } from './check-rules';

const { blobs, versionImages, versions } = tables;

const EXAMPLES = 3;

/** Checks that stored files exist, are intact and are referenced. Reads every byte of the store. */
export async function checkFiles(db: Database, storage: Storage): Promise<Outcome[]> {
  const rows = await db.select({ sha256: blobs.sha256, bytes: blobs.bytes }).from(blobs);
  const missing: string[] = [];
  const damaged: string[] = [];
  for (const { sha256, bytes } of rows) {
    const found = await storage.stat(sha256);
    if (!found) {
      if (await isReferenced(db, sha256)) missing.push(sha256);
    } else if (found.bytes !== bytes || (await hashOf(storage, sha256)) !== sha256) damaged.push(sha256);
  }
  const known = new Set(rows.map(({ sha256 }) => sha256));
  const strays: string[] = [];
  for await (const { sha256 } of storage.list()) if (!known.has(sha256)) strays.push(sha256);
  const changed = await changedVersions(db, [...missing, ...damaged]);
  return [
    outcome('files are there', 'every file that a row calls for is there', missing),
    outcome('files are whole', 'every file hashes to its name and has its size', damaged),
    outcome('no orphan files', 'every file has a row (the collector removes others after a day)', strays),
    outcome('versions are whole', 'every version hashes to its name, and so do its pictures', changed),
  ];
}

/**
 * All files have been read by now. Versions that reference a damaged file have changed.
 */
async function changedVersions(db: Database, bad: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select v.id from ${versions} v
    where v.hash <> v.manifest or v.manifest = any (${sql.param(bad)}::text[])
      or exists (select 1 from ${versionImages} i where i.version_id = v.id and i.blob = any (${sql.param(bad)}::text[]))`);
  return rows.map(({ id }) => id);
}

const outcome = (name: string, statement: string, offenders: readonly string[]): Outcome => ({
  name,
  statement,
  violations: offenders.length,
  examples: offenders.slice(0, EXAMPLES),
});

async function hashOf(storage: Storage, sha256: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await storage.get(sha256)) hash.update(chunk);
  return hash.digest('hex');
}
