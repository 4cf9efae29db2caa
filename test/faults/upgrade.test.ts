import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { connect, type Database, forgetDatabase, newId, tables } from '@/db';
import journal from '@/db/migrations/meta/_journal.json';
import prerelease from '@/db/migrations/prerelease/meta/_journal.json';
import { Client, RequestRefused } from '@/lib/demo/simulation/http/client';
import type { SentBatch } from '@/lib/demo/simulation/http/messages';
import { Traffic } from '@/lib/demo/simulation/http/traffic';
import { verifyVersion } from '@/lib/services/datasets/versions/verify-version';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { storage } from '@/lib/services/storage';
import { origin } from '../app/api/call';
import { inProcess } from '../demo/simulation/in-process';
import { answerFor } from '../fixtures/upgrade/answer-for';
import { fixtureFiles, type UpgradePeople } from '../fixtures/upgrade/files';
import { useHome } from '../support/home';
import { runTessera } from '../support/instance';
import { createEmptyDatabase, type TestDatabase } from '../support/server';

/**
 * The instance of an earlier release (test/fixtures/upgrade/make.ts), restored and migrated by this one. The tests
 * run in order, as days after an upgrade would.
 */
const home = useHome();
const people = JSON.parse(readFileSync(fixtureFiles().people, 'utf8')) as UpgradePeople;
const { batches, leases, ledger, versions } = tables;
let target: TestDatabase;
let db: Database;
let restored: { code: number | null; output: string };

beforeAll(async () => {
  target = await createEmptyDatabase(inject('adminUrl'));
  // A restore refuses a database that somebody is connected to.
  await target.db.$client.end();
  const tar = path.join(home(), 'backup.tar');
  writeFileSync(tar, gunzipSync(readFileSync(fixtureFiles().backup)));
  restored = await runTessera(['restore', tar], {
    DATABASE_URL: target.url,
    TESSERA_HOME: home(),
    TESSERA_SECRET: process.env.TESSERA_SECRET as string,
  });
  process.env.DATABASE_URL = target.url;
  db = connect(target.url);
  // The fixture ages; people who had time left when it was made have time left now.
  const inTime = [people.open, people.practising, people.examinee].map(({ batch }) => batch as string);
  await db
    .update(batches)
    .set({ leasedUntil: sql`now() + interval '30 minutes'` })
    .where(inArray(batches.id, inTime));
});

afterAll(async () => {
  await forgetDatabase();
  await db?.$client.end();
  await target?.drop();
  delete process.env.DATABASE_URL;
});

async function signIn({ email, password }: { email: string; password: string }): Promise<Client> {
  const client = new Client(origin, new Traffic(), inProcess);
  await client.signIn(email, password);
  return client;
}

const take = async (client: Client, what: 'batch' | 'exam' | 'practice' = 'batch') => {
  const asked = { method: 'POST', expects: [409] } as const;
  const at = `/work/stages/${people.stage}/${what}`;
  const { batch } = await client.request<{ batch: { id: string } | null }>('next batch', at, asked);
  return batch && client.request<SentBatch>('read batch', `/work/batches/${batch.id}`);
};

async function finish(client: Client, batch: SentBatch): Promise<{ state: string }> {
  for (const item of batch.items.filter(({ state }) => state === 'open')) {
    const json = { id: newId(), value: answerFor(batch, item), activeMs: 21_000 };
    const at = `/work/leases/${item.leaseId}/answer`;
    // An adaptive exam may be decided before its last item.
    if ((await client.request<{ isOver: boolean }>('answer', at, { method: 'POST', json })).isOver) break;
  }
  return client.request('submit', `/work/batches/${batch.id}/submit`, { method: 'POST' });
}

const batchOf = async (id: string | undefined) =>
  (
    await db
      .select()
      .from(batches)
      .where(eq(batches.id, id as string))
  )[0];

const broken = async () =>
  [...(await checkRules(db)), ...(await checkFiles(db, storage()))].filter(
    ({ violations }) => violations > 0,
  );

it('a backup of the earlier release is restored and migrated, and breaks no invariant', async () => {
  expect(restored).toMatchObject({ code: 0 });
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from drizzle.__drizzle_migrations`,
  );
  expect(rows[0]?.n).toBe(journal.entries.length);
  expect(people.migrations).toBeLessThanOrEqual(prerelease.entries.length);
  // The fixture has something of everything, or the tests below would prove little.
  const filled = ['answers', 'labels', 'gold', 'checks', 'ledger', 'standings', 'decisions', 'versions'];
  for (const name of filled)
    expect((await db.execute(sql`select from ${sql.identifier(name)}`)).rowCount, name).toBeGreaterThan(0);
  expect(await broken()).toEqual([]);
});

it('a version of the earlier release verifies under the same hash', async () => {
  const [version] = await db.select().from(versions);
  expect(version?.hash).toBe(people.version);
  const verified = await verifyVersion(db, storage(), {
    projectId: version?.projectId as string,
    version: people.version,
  });
  expect(verified).toMatchObject({ isWhole: true, problems: [] });
});

it('a worker with an open batch finishes it, is paid once, and receives another', async () => {
  const worker = await signIn(people.open);
  const batch = (await take(worker)) as SentBatch;
  expect(batch.id).toBe(people.open.batch);
  // One was answered before the upgrade.
  expect(batch.items.filter(({ state }) => state === 'answered')).toHaveLength(1);
  await finish(worker, batch);
  expect(await batchOf(batch.id)).toMatchObject({ state: 'submitted' });
  const next = (await take(worker)) as SentBatch;
  expect(next.id).not.toBe(batch.id);
  expect(next.items.length).toBeGreaterThan(0);
  await finish(worker, next);
  for (const id of [batch.id, next.id])
    expect((await batchOf(id))?.state, 'both are closed').toBe('submitted');
  const repeated = await db
    .select({ item: leases.itemId })
    .from(leases)
    .groupBy(leases.itemId, leases.workerId)
    .having(sql`count(*) > 1`);
  expect(repeated).toEqual([]);
});

it('a batch that had run out is ended, and what was finished of it is paid', async () => {
  const worker = await signIn(people.expired);
  await take(worker);
  const batch = await batchOf(people.expired.batch);
  // Taken up again by its worker, or ended when somebody else asked for work: never both.
  if (batch?.state === 'leased')
    await worker.request('submit', `/work/batches/${batch.id}/submit`, { method: 'POST' });
  else expect(batch?.state).toBe('expired');
  const paid = await db
    .select({ kind: ledger.kind })
    .from(ledger)
    .where(eq(ledger.sourceId, people.expired.batch as string));
  expect(paid).toEqual([{ kind: 'batch' }]);
});

it('a paused worker is still paused', async () => {
  const worker = await signIn(people.paused);
  const refused = await take(worker).catch((error: RequestRefused) => error);
  expect(refused).toBeInstanceOf(RequestRefused);
  expect(refused).toMatchObject({ status: 409, more: { gate: 'paused' } });
});

it('practice and an exam that were begun are finished', async () => {
  for (const [person, what] of [
    [people.practising, 'practice'],
    [people.examinee, 'exam'],
  ] as const) {
    const worker = await signIn(person);
    const batch = (await take(worker, what)) as SentBatch;
    expect(batch.id).toBe(person.batch);
    await finish(worker, batch);
    expect(await batchOf(batch.id)).toMatchObject({ kind: what, state: 'submitted' });
  }
});

it('after all of this every invariant holds', async () => {
  expect(await broken()).toEqual([]);
});
