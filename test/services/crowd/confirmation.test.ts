import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { CONFIRM_JOB, confirmWork } from '@/lib/services/crowd/trust/confirm-work';
import { useDatabase } from '../../support/database';
import {
  addGold,
  ask,
  doBatch,
  elsewhere,
  itemsOf,
  square,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const policy = {
  maskExam: { isRequired: false },
  batchSize: { masks: 8 },
  checkRate: 0.5,
  confirmation: { minFormAccuracy: 0.84, minMaskAccuracy: 0.75, maxAnswers: 3, confidence: 0.8 },
};

const currentLabels = (shop: Workshop) =>
  db()
    .select()
    .from(tables.labels)
    .where(and(eq(tables.labels.projectId, shop.projectId), eq(tables.labels.isCurrent, true)));

const confirmJobs = (shop: Workshop) =>
  db()
    .select()
    .from(tables.jobs)
    .where(and(eq(tables.jobs.projectId, shop.projectId), eq(tables.jobs.kind, CONFIRM_JOB)));

/** A worker submits a batch of drawings in the wrong place and fails every hidden check. */
async function carelessWork() {
  const shop = await workshop(db(), policy);
  const stageId = shop.stages['object-mask'];
  await addGold(db(), shop, 'object-mask', 30, square);
  const asked = await ask(db(), shop, 'object-mask', 8);
  const actor = await worker(db(), shop, 'Wes');
  await doBatch(db(), actor, stageId, () => elsewhere);
  const jobs = await confirmJobs(shop);
  const about = { projectId: shop.projectId, stageId, workerId: actor.userId };
  return { shop, stageId, asked, actor, jobs, about };
}

/** Turns hidden checks off, so that the next batches contain every open item. */
const stopChecking = (shop: Workshop) =>
  db()
    .update(tables.projects)
    .set({ policy: { ...policy, attributeExam: { isRequired: false }, checkRate: 0 } })
    .where(eq(tables.projects.id, shop.projectId));

describe('second answers for unreliable workers', () => {
  it('are requested for all of their work, including accepted labels', async () => {
    const { shop, stageId, asked, jobs, about } = await carelessWork();
    expect(jobs).toMatchObject([{ state: 'queued', title: 'Ask for second answers' }]);
    const before = await currentLabels(shop);
    expect(before.length).toBeGreaterThan(0);
    const { items } = await confirmWork(db(), about);
    expect(items).toBe(before.length);
    expect(await currentLabels(shop)).toEqual([]);
    expect(await confirmWork(db(), about)).toEqual({ items: 0 });
    const reopened = (await itemsOf(db(), stageId)).filter(
      ({ id, answered }) => asked.includes(id) && answered > 0,
    );
    expect(reopened).toHaveLength(before.length);
    for (const item of reopened) expect(item).toMatchObject({ state: 'open', answered: 1, overlap: 2 });

    await stopChecking(shop);
    for (const name of ['Ann', 'Bea', 'Cleo', 'Dot'])
      if ((await currentLabels(shop)).length < asked.length)
        await doBatch(db(), await worker(db(), shop, name), stageId, () => square);
    const after = await currentLabels(shop);
    expect(after).toHaveLength(asked.length);
    for (const label of after) expect(label.value).toEqual(square);
  });

  it('leave the answers of other workers and the pay unchanged', async () => {
    const { shop, stageId, about } = await carelessWork();
    const [other] = await ask(db(), shop, 'object-mask', 1);
    await stopChecking(shop);
    const ann = await worker(db(), shop, 'Ann');
    await doBatch(db(), ann, stageId, () => square);
    await confirmWork(db(), about);
    const item = (await itemsOf(db(), stageId)).find(({ id }) => id === other);
    expect(item).toMatchObject({ state: 'settled', answered: 1 });
    const paid = await db().select().from(tables.ledger).where(eq(tables.ledger.workerId, about.workerId));
    expect(paid.reduce((sum, { amountMicro }) => sum + Number(amountMicro), 0)).toBeGreaterThan(0);
  });

  it('are not requested when the policy turns them off', async () => {
    const shop = await workshop(db(), { ...policy, confirmation: { ...policy.confirmation, maxAnswers: 1 } });
    await addGold(db(), shop, 'object-mask', 30, square);
    await ask(db(), shop, 'object-mask', 8);
    await doBatch(db(), await worker(db(), shop, 'Wes'), shop.stages['object-mask'], () => elsewhere);
    expect(await confirmJobs(shop)).toEqual([]);
    expect((await currentLabels(shop)).length).toBeGreaterThan(0);
  });

  it('are needed before later work becomes a label', async () => {
    const { shop, stageId, actor } = await carelessWork();
    const [later] = await ask(db(), shop, 'object-mask', 1);
    await db().update(tables.standings).set({ state: 'active' });
    await stopChecking(shop);
    await doBatch(db(), actor, stageId, () => elsewhere);
    const item = (await itemsOf(db(), stageId)).find(({ id }) => id === later);
    expect(item).toMatchObject({ state: 'open', answered: 1, overlap: 2 });
  });
});
