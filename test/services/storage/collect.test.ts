import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { scheduleCollection } from '@/lib/services/jobs/enqueue';
import { localDisk, putBlob, readAll, resolveInside, type Storage } from '@/lib/services/storage';
import { blobReferences, collectBlobs } from '@/lib/services/storage/collect-blobs';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { declare } from '../jobs/worker';

const db = useDatabase();
const home = useHome();
const disk = () => localDisk(path.join(home(), 'blobs'));
const put = (text: string) => putBlob(db(), disk(), Buffer.from(text), { mediaType: 'text/plain' });
const rowOf = async (sha256: string) =>
  (await db().select().from(tables.blobs).where(eq(tables.blobs.sha256, sha256)))[0];
const age = (sha256: string) =>
  db().execute(sql`update blobs set touched_at = now() - interval '2 days' where sha256 = ${sha256}`);

async function referTo(sha256: string) {
  const [project] = await db()
    .insert(tables.projects)
    .values({ name: 'p', slug: `p-${newId()}` })
    .returning();
  await db()
    .insert(tables.images)
    .values({
      projectId: project?.id as string,
      name: 'one',
      width: 1,
      height: 1,
      sourceSha256: sha256,
      blob: sha256,
      perceptualHash: 0n,
    });
}

describe('the collector', () => {
  it('knows every column that refers to a blob', async () => {
    const { rows } = await db().execute<{ table: string; column: string }>(sql`
      select source.table_name as "table", source.column_name as "column"
      from information_schema.referential_constraints
      join information_schema.key_column_usage source using (constraint_schema, constraint_name)
      join information_schema.constraint_column_usage target using (constraint_schema, constraint_name)
      where target.table_name = 'blobs' and target.column_name = 'sha256'`);
    const known = blobReferences.map(({ table, column }) => ({
      table: getTableConfig(table).name,
      column: column.name,
    }));
    const byName = (a: { table: string }, b: { table: string }) => a.table.localeCompare(b.table);
    expect([...rows].sort(byName)).toEqual([...known].sort(byName));
  });

  it('deletes what nothing refers to, and only what is old', async () => {
    const used = await put('used');
    const unused = await put('unused');
    const fresh = await put('fresh');
    await referTo(used.sha256);
    await age(used.sha256);
    await age(unused.sha256);
    expect(await collectBlobs(db(), disk())).toMatchObject({ blobs: 1, bytes: 6 });
    expect(await disk().stat(unused.sha256)).toBeNull();
    expect(await rowOf(unused.sha256)).toBeUndefined();
    expect(await disk().stat(used.sha256)).not.toBeNull();
    expect(await disk().stat(fresh.sha256)).not.toBeNull();
  });

  it('spares what somebody has just put again', async () => {
    const { sha256 } = await put('comes back');
    await age(sha256);
    await put('comes back');
    expect(await collectBlobs(db(), disk())).toMatchObject({ blobs: 0 });
    expect(await disk().stat(sha256)).not.toBeNull();
  });

  it('never takes the bytes of a put that runs beside it', async () => {
    const { sha256 } = await put('contended');
    await age(sha256);
    let racing: Promise<unknown> | undefined;
    const slow: Storage = {
      ...disk(),
      // In the moment the collector has decided and is about to delete, a writer brings the same content.
      async delete(name) {
        racing = put('contended');
        await new Promise((resolve) => setTimeout(resolve, 200));
        await disk().delete(name);
      },
    };
    await collectBlobs(db(), slow);
    await racing;
    expect(await rowOf(sha256)).toBeDefined();
    expect((await readAll(await disk().get(sha256), 100)).toString()).toBe('contended');
  });

  it('finds files that no row speaks of, because a transaction was rolled back', async () => {
    let sha256 = '';
    const rolledBack = db().transaction(async (tx) => {
      ({ sha256 } = await putBlob(tx, disk(), Buffer.from('stray'), { mediaType: 'text/plain' }));
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await disk().stat(sha256)).not.toBeNull();
    expect(await collectBlobs(db(), disk(), { graceMs: -1000 })).toMatchObject({ strays: 1 });
    expect(await disk().stat(sha256)).toBeNull();
    expect(await rowOf(sha256)).toBeUndefined();
  });

  it('is started once a day, however often it is asked', async () => {
    await declare(db(), ['collect-blobs']);
    const asked = await Promise.all([1, 2, 3].map(() => scheduleCollection(db())));
    expect(asked.filter(Boolean)).toHaveLength(1);
  });
});

describe('resolveInside', () => {
  it('stays in its folder', () => {
    expect(resolveInside('/data', 'a/b')).toBe('/data/a/b');
    expect(resolveInside('/data', 'a/../b')).toBe('/data/b');
  });

  it.each(['..', '../x', 'a/../../x', '/etc/passwd', '.', '', 'a\0b'])('refuses %j', (name) => {
    expect(() => resolveInside('/data', name)).toThrow(/outside of its folder/);
  });
});
