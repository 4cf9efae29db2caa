import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { editSchema } from '@/lib/core/schema';
import type { UserActor } from '@/lib/services/access';
import { getBatch, takeBatch } from '@/lib/services/crowd/work';
import { cancelJob } from '@/lib/services/jobs';
import { applySchemaChange, getVersion, saveSchema } from '@/lib/services/projects/schema';
import { join, person } from '../../services/access/people';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  doBatch,
  itemOf,
  itemsOf,
  marked,
  paidTo,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { withWeather } from './with-weather';

const { answers, batches, checks, exams, jobs, labels, memberships, stages } = tables;

const db = useDatabase();

async function curator(shop: Workshop): Promise<UserActor> {
  const actor = await person(db(), 'Cora');
  await join(db(), actor, shop.projectId, 'curator');
  return actor;
}

async function rename(actor: UserActor, shop: Workshop, name: string) {
  const { number, document } = await getVersion(db(), shop.projectId);
  const next = editSchema(document, { do: 'set', list: 'classes', index: 0, fields: { name } });
  return saveSchema(db(), actor, {
    projectId: shop.projectId,
    from: number,
    document: next,
    askAgain: false,
  });
}

const versionsIn = (batch: { items: { schemaVersionId: string }[] }) =>
  new Set(batch.items.map((item) => item.schemaVersionId));

it('a schema change during a batch does not tell which items of it are checks, and what is finished is paid', async () => {
  const shop = await workshop(db(), { checkRate: 0.5 });
  const cora = await curator(shop);
  await addGold(db(), shop, 'attributes', 6, marked(shop, 'tail', 'white'));
  await ask(db(), shop, 'attributes', 8);
  const wanda = await worker(db(), shop);
  const batch = await take(db(), wanda, shop.stages.attributes);
  const hidden = await checkLeases(db(), batch.id);
  expect(hidden.size).toBeGreaterThan(0);
  const ordinary = batch.items.filter(({ leaseId }) => !hidden.has(leaseId));
  const check = batch.items.find(({ leaseId }) => hidden.has(leaseId));
  const [done, left] = ordinary;
  for (const leaseId of [done?.leaseId, check?.leaseId])
    await answer(db(), wanda, leaseId as string, marked(shop, 'tail', 'white'));

  await rename(cora, shop, 'Lorry');
  const after = await getBatch(db(), wanda, { batchId: batch.id });
  expect(after.state).toBe('expired');
  expect(versionsIn(after)).toEqual(new Set([shop.schemaVersionId]));
  expect((await itemOf(db(), done?.leaseId as string)).state).toBe('settled');
  expect(await itemOf(db(), left?.leaseId as string)).toMatchObject({ state: 'open', leased: 0 });
  expect(await paidTo(db(), wanda)).toMatchObject([{ kind: 'batch', sourceId: batch.id }]);
  const [scored] = await db()
    .select()
    .from(checks)
    .where(eq(checks.leaseId, check?.leaseId as string));
  expect(scored?.passed).toBe(true);

  const { id } = await getVersion(db(), shop.projectId);
  const wim = await worker(db(), shop, 'Wim');
  expect(versionsIn(await take(db(), wim, shop.stages.attributes))).toEqual(new Set([id]));
});

it('an exam that a schema change ends is no failed attempt', async () => {
  const attributeExam = { isRequired: true, images: 4, practice: 0, attempts: 1 };
  const shop = await workshop(db(), { attributeExam });
  const cora = await curator(shop);
  await addGold(db(), shop, 'attributes', 10, marked(shop, 'tail', 'white'), { pool: 'exam' });
  const wanda = await worker(db(), shop);
  const exam = await take(db(), wanda, shop.stages.attributes, 'exam');
  await answer(db(), wanda, exam.items[0]?.leaseId as string, marked(shop, 'tail', 'white'));
  await rename(cora, shop, 'Lorry');
  expect(await db().select().from(exams).where(eq(exams.workerId, wanda.userId))).toEqual([]);
  expect((await take(db(), wanda, shop.stages.attributes, 'exam')).kind).toBe('exam');
});

it('no work is handed out while a job applies the new schema', async () => {
  const shop = await workshop(db());
  await ask(db(), shop, 'object-mask', 1);
  const wanda = await worker(db(), shop);
  const stageId = shop.stages['object-mask'];
  const [job] = await db()
    .insert(jobs)
    .values({ kind: 'change-schema', title: 'Apply schema version 2', projectId: shop.projectId })
    .returning({ id: jobs.id });
  await expect(takeBatch(db(), wanda, { stageId })).rejects.toMatchObject({
    kind: 'conflict',
    message: expect.stringContaining('being changed'),
  });
  await db()
    .update(jobs)
    .set({ state: 'done', finishedAt: new Date() })
    .where(eq(jobs.id, job?.id as string));
  expect((await take(db(), wanda, stageId)).items).toHaveLength(1);
});

it('a change that failed by half is finished before the next version, and never written over a newer one', async () => {
  const shop = await workshop(db());
  const cora = await curator(shop);
  await rename(cora, shop, 'Lorry');
  const [job] = await db()
    .insert(jobs)
    .values({ kind: 'change-schema', title: 'Apply schema version 2', projectId: shop.projectId })
    .returning({ id: jobs.id });
  const isJob = eq(jobs.id, job?.id as string);
  await expect(cancelJob(db(), job?.id as string)).rejects.toThrow('cannot be stopped half-way');
  for (const state of ['failed', 'cancelled'] as const) {
    await db().update(jobs).set({ state, error: 'The disk was full.', finishedAt: new Date() }).where(isJob);
    await expect(rename(cora, shop, 'Van')).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('retry its job first'),
    });
  }
  await db().update(jobs).set({ state: 'done', error: null }).where(isJob);
  await rename(cora, shop, 'Van');
  const [first, second] = await Promise.all([1, 2].map((n) => getVersion(db(), shop.projectId, n)));
  const late = { projectId: shop.projectId, from: first?.id as string, to: second?.id as string };
  await expect(applySchemaChange(db(), { ...late, askAgain: false })).rejects.toThrow('newer version');
});

it('workers who take and answer while the schema is saved get through, and no batch is left in two versions', async () => {
  const shop = await workshop(db(), { checkRate: 0.5 });
  const cora = await curator(shop);
  await addGold(db(), shop, 'object-mask', 6, square);
  await ask(db(), shop, 'object-mask', 40);
  const stageId = shop.stages['object-mask'];
  const people = await Promise.all(['Ada', 'Ben', 'Cy', 'Dee'].map((name) => worker(db(), shop, name)));
  const work = async (actor: UserActor) => {
    const batch = await take(db(), actor, stageId);
    for (const { leaseId } of batch.items) await answer(db(), actor, leaseId);
  };
  for (const name of ['Lorry', 'Van', 'Bus'])
    await Promise.all([...people.map(work), rename(cora, shop, name)]);
  const { id } = await getVersion(db(), shop.projectId);
  const running = await db()
    .select({ id: batches.id, workerId: batches.workerId })
    .from(batches)
    .where(and(eq(batches.projectId, shop.projectId), eq(batches.state, 'leased')));
  for (const { id: batchId, workerId } of running) {
    const actor = people.find(({ userId }) => userId === workerId) as UserActor;
    expect(versionsIn(await getBatch(db(), actor, { batchId }))).toEqual(new Set([id]));
  }
});

/** Two forms that say "hairy", which a new schema wants drawn. Gives the targets that are then asked about. */
async function drawnFromNowOn(state: 'open' | 'closed'): Promise<string[]> {
  const shop = await workshop(db());
  const wanda = await worker(db(), shop);
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  await ask(db(), shop, 'attributes', 2);
  await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail', 'hairy'));
  await db().update(stages).set({ state }).where(eq(stages.id, shop.stages['part-mask']));
  const { number, document } = await getVersion(db(), shop.projectId);
  const index = document.attributes.findIndex(({ id }) => id === 'hairy');
  const next = editSchema(document, { do: 'set', list: 'attributes', index, fields: { kind: 'localised' } });
  const { projectId } = shop;
  await saveSchema(db(), cora, { projectId, from: number, document: next, askAgain: false });
  return (await itemsOf(db(), shop.stages['part-mask'])).map(({ target }) => target).sort();
}

it('an attribute that is to be drawn from now on is asked of images whose forms say it', async () => {
  expect(await drawnFromNowOn('open')).toEqual(['hairy', 'hairy', 'tail', 'tail']);
});

it('a closed stage is asked nothing that a new schema adds', async () => {
  expect(await drawnFromNowOn('closed')).toEqual(['tail', 'tail']);
});

it('an answer that is under way while the schema changes is not taken for one to the new question', async () => {
  const shop = await workshop(db());
  const cora = await person(db(), 'Cora');
  await join(db(), cora, shop.projectId, 'curator');
  await ask(db(), shop, 'attributes', 1);
  const wanda = await worker(db(), shop);
  const [item] = (await take(db(), wanda, shop.stages.attributes)).items;
  const leaseId = item?.leaseId as string;
  let sending: Promise<unknown> | undefined;
  await db().transaction(async (tx) => {
    // Another tab of hers is being served, so the answer waits between its check and its being stored.
    await tx.select().from(memberships).where(eq(memberships.userId, wanda.userId)).for('no key update');
    sending = answer(db(), wanda, leaseId, marked(shop, 'tail', 'white')).catch((error: Error) => error);
    await somebodyWaits(db());
    const { number, document } = await getVersion(db(), shop.projectId);
    await saveSchema(db(), cora, {
      projectId: shop.projectId,
      from: number,
      document: withWeather(document),
      askAgain: true,
    });
  });
  expect(String(await sending)).toContain('Weather');
  expect(await itemOf(db(), leaseId)).toMatchObject({ state: 'open', answered: 0, leased: 0 });
  expect(await db().$count(answers, eq(answers.leaseId, leaseId))).toBe(0);
  expect(await db().$count(labels, eq(labels.projectId, shop.projectId))).toBe(0);
});
