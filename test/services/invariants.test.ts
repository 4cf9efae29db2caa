import { writeFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Database, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { approvePayout, markPaid } from '@/lib/services/crowd/pay/approve-payout';
import { savePayee } from '@/lib/services/crowd/pay/own-payee';
import { submitBatch } from '@/lib/services/crowd/work';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { checkFiles } from '@/lib/services/invariants/check-files';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { rules } from '@/lib/services/invariants/rules';
import { enqueue } from '@/lib/services/jobs';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { labelledProject, patiently } from '../support/labelled-project';
import { addGold, answer, ask, settleLate, square, take, worker, workshop } from './crowd/workshop';

const db = useDatabase();
useHome();
const curator = systemActor('Curator');

/** What a fault would have to do to the rows, one for every rule: the check finds it. */
const damage: Record<string, string> = {
  'answers have leases': `delete from answers where id = (select id from answers limit 1)`,
  'no answer twice': `drop index leases_never_twice; alter table leases drop constraint if exists leases_position;
    insert into leases (id, batch_id, item_id, worker_id, position, state)
    select gen_random_uuid(), batch_id, item_id, worker_id, 99, 'released' from leases limit 1`,
  'leases are counted': `update items set leased = leased + 1 where id = (select item_id from leases limit 1)`,
  'reservations end with their batch': `insert into reservations (batch_id, item_id)
    select b.id, l.item_id from batches b join leases l on l.batch_id = b.id where b.state = 'submitted' limit 1`,
  'answers are counted': `update items set answered = 0 where id = (select item_id from answers limit 1)`,
  'no item too often': `update items set state = 'open', overlap = 1, answered = 2 where id = (select item_id from answers limit 1)`,
  'no orphan leases': `update leases set state = 'open' where id = (
    select l.id from leases l join batches b on b.id = l.batch_id and b.state = 'submitted' limit 1)`,
  'settled items have labels': `delete from labels where item_id = (select item_id from answers limit 1)`,
  'one current label': `drop index labels_current; insert into labels
    select gen_random_uuid(), project_id, item_id, image_id, target, value, mask, area, source, provenance, confidence,
      is_current, created_at from labels where is_current limit 1`,
  'finished work is paid': `delete from ledger where kind = 'batch'`,
  'pay has a source': `update ledger set source_id = gen_random_uuid() where kind = 'batch'`,
  'payouts are in the ledger': `update ledger set amount_micro = amount_micro - 1 where kind = 'payment'`,
  'consent was read in a stored text': `update consents set translation_ids = array[gen_random_uuid()]`,
  'payee details have a worker': `delete from memberships where user_id = (select worker_id from payees limit 1)`,
  'jobs are in the queue': `update jobs set updated_at = now() - interval '1 hour'; delete from pgboss.job`,
};

beforeAll(async () => {
  const payees = { isOn: true, bank: true, paypal: true, other: false, schedule: 'monthly' };
  const shop = await workshop(db(), { payees });
  const [wanda, wen] = [await worker(db(), shop, 'Wanda'), await worker(db(), shop, 'Wen')];
  await ask(db(), shop, 'part-mask', 6);
  for (const { who, ends } of [
    { who: wanda, ends: true },
    { who: wen, ends: false },
  ]) {
    const batch = await take(db(), who, shop.stages['part-mask']);
    for (const { leaseId } of batch.items.slice(0, ends ? 3 : 1)) await answer(db(), who, leaseId);
    if (ends) await submitBatch(db(), who, { batchId: batch.id });
  }
  const { payoutIds } = await approvePayout(db(), curator, { projectId: shop.projectId, note: '' });
  for (const payoutId of payoutIds) await markPaid(db(), curator, { payoutId });
  const details = { method: 'paypal', name: 'Wanda', email: 'wanda@example.org' } as const;
  await savePayee(db(), wanda, { projectId: shop.projectId, details });
  await db().transaction((tx) => enqueue(tx, 'collect-blobs', {}, { title: 'waits' }));
});

describe('the rules about rows', () => {
  it('hold while work is under way, and each has a fault below that breaks it', async () => {
    for (const outcome of await checkRules(db()))
      expect(outcome).toMatchObject({ violations: 0, examples: [] });
    expect(Object.keys(damage)).toEqual(rules.map(({ name }) => name));
  });

  it.each(Object.entries(damage))('find what breaks "%s"', (name, statement) => finds(name, statement));

  it('hold with checks in hand, answers that came late and pay in review, and find a check that was counted', async () => {
    const payReview = { minFormSeconds: 0, minMaskSeconds: 60, constantAnswers: null };
    const shop = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat', payReview });
    const stageId = shop.stages['object-mask'];
    await addGold(db(), shop, 'object-mask', 10, square);
    // Gold written by a curator: its items were never answered.
    await db().execute(sql`update items set answered = 0 where id in (select item_id from gold)`);
    await ask(db(), shop, 'object-mask', 20);
    const [wim, wes] = [await worker(db(), shop, 'Wim'), await worker(db(), shop, 'Wes')];
    const ended = await take(db(), wim, stageId);
    const [first, ...others] = ended.items.map((item) => item.leaseId);
    for (const leaseId of others) await answer(db(), wim, leaseId);
    const { review } = await submitBatch(db(), wim, { batchId: ended.id });
    expect(review).toBe('instant');
    await answer(db(), wim, first as string);
    await take(db(), wes, stageId);
    const there = await db().execute(sql`
      select (select count(*)::int from reservations) as reservations,
        (select count(*)::int from leases where state = 'late') as late,
        (select count(*)::int from pay_reviews) as reviews`);
    expect(there.rows).toEqual([{ reservations: 2, late: 1, reviews: 1 }]);
    const broken = async () => (await checkRules(db())).filter(({ violations }) => violations > 0);
    expect(await broken()).toEqual([]);
    await settleLate(db());
    expect(await broken()).toEqual([]);
    await finds(
      'reservations end with their batch',
      'update leases set is_extra = false where id in (select lease_id from checks)',
    );
  });

  async function finds(name: string, statement: string): Promise<void> {
    const rolledBack = new Error('rolled back');
    const trial = db().transaction(async (tx) => {
      // As a crash would: past triggers and references.
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql.raw(statement));
      const outcomes = await checkRules(tx as unknown as Database);
      expect(outcomes.find((outcome) => outcome.name === name)?.violations).toBeGreaterThan(0);
      throw rolledBack;
    });
    await expect(trial).rejects.toBe(rolledBack);
  }
});

describe('the look at files', () => {
  it('finds what is missing, changed, or nobody’s, and versions that are no longer what they were', async () => {
    const { projectId } = await labelledProject(db(), { preset: 'part-imagenet', slug: 'birds', count: 4 });
    const request = FreezeRequest.parse({});
    await freezeVersion(patiently(db()), curator, { projectId, request });
    const found = async () =>
      Object.fromEntries(
        (await checkFiles(db(), storage())).map(({ name, violations }) => [name, violations]),
      );
    // The pictures of the workshop are rows only.
    const sound = await found();
    const missing = sound['files are there'] ?? 0;
    expect(sound).toMatchObject({ 'files are whole': 0, 'no orphan files': 0, 'versions are whole': 0 });
    const stray = await storage().stage(Buffer.from('nobody knows me'));
    await stray.place();
    expect(await found()).toEqual({ ...sound, 'no orphan files': 1 });
    await storage().delete(stray.sha256);
    const [image] = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    writeFileSync(storage().place?.(image?.blob as string) as string, 'x');
    expect(await found()).toEqual({ ...sound, 'files are whole': 1, 'versions are whole': 1 });
    await storage().delete(image?.blob as string);
    expect(await found()).toEqual({ ...sound, 'files are there': missing + 1, 'versions are whole': 1 });
  });
});
