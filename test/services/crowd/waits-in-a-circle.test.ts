import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { withdraw } from '@/lib/services/crowd/consent';
import { setBar } from '@/lib/services/crowd/policy/set-bar';
import { decideByHand } from '@/lib/services/crowd/trust';
import { takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { tests } from '../access/people';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  doBatch,
  marked,
  runOut,
  square,
  take,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();
const { decisions, exams, gold, items } = tables;

const holdItem = (id: string) => sql`select id from ${items} where id = ${id} for no key update`;
const holdGold = (id: string) => sql`select id from ${gold} where id = ${id} for no key update`;

it('a worker with batches in two stages withdraws while somebody hands in, and neither fails', async () => {
  const shop = await workshop(db());
  const wanda = await worker(db(), shop);
  // The mask is the younger question, and its batch the older one.
  const [form] = await ask(db(), shop, 'attributes', 1);
  const [mask] = await ask(db(), shop, 'object-mask', 1);
  await take(db(), wanda, shop.stages['object-mask']);
  await take(db(), wanda, shop.stages.attributes);
  let leaving: ReturnType<typeof withdraw> | undefined;
  await db().transaction(async (tx) => {
    // As whoever ends work on both: in the order of ids.
    await tx.execute(holdItem(form as string));
    leaving = withdraw(db(), wanda, { projectId: shop.projectId });
    await somebodyWaits(db());
    await tx.execute(holdItem(mask as string));
  });
  expect(await leaving).toEqual({ returned: 2 });
});

it('a worker is stopped and their work asked again while somebody hands in, and neither fails', async () => {
  const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 1 } });
  const stageId = shop.stages['object-mask'];
  const wanda = await worker(db(), shop);
  const [done] = await ask(db(), shop, 'object-mask', 1);
  await doBatch(db(), wanda, stageId, () => square);
  const [open] = await ask(db(), shop, 'object-mask', 1);
  await take(db(), wanda, stageId);
  let stopping: ReturnType<typeof decideByHand> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdItem(done as string));
    stopping = decideByHand(db(), tests, {
      workerId: wanda.userId,
      stageId,
      verdict: 'end',
      reason: 'The outlines look drawn by a machine.',
      askAgain: true,
    });
    await somebodyWaits(db());
    await tx.execute(holdItem(open as string));
  });
  expect(await stopping).toMatchObject({ askedAgain: 1 });
});

it('a batch is taken, and another reclaimed for it, while somebody else is given the same gold; neither fails', async () => {
  const shop = await workshop(db(), { checkRate: 0.5, batchSize: { attributes: 4, masks: 2 } });
  const stageId = shop.stages['object-mask'];
  const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
  const ids = (await addGold(db(), shop, 'object-mask', 2, square)).sort();
  await ask(db(), shop, 'object-mask', 4);
  const batch = await take(db(), wanda, stageId);
  for (const leaseId of await checkLeases(db(), batch.id)) await answer(db(), wanda, leaseId);
  const shown = await db().execute<{ id: string }>(sql`
    select c.gold_id as id from checks c where c.worker_id = ${wanda.userId}`);
  expect(shown.rows).toHaveLength(1);
  const [rotated] = shown.rows.map(({ id }) => id) as [string];
  const other = ids.find((id) => id !== rotated) as string;
  await runOut(db(), batch.id);
  let taking: ReturnType<typeof takeBatch> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(holdGold(other));
    taking = takeBatch(db(), will, { stageId });
    await somebodyWaits(db());
    await tx.execute(holdGold(rotated));
  });
  expect(await taking).not.toBeNull();
});

it('the bar of an exam is set while exams and work of the stage end, and neither fails', async () => {
  const shop = await workshop(db(), {
    attributeExam: { isRequired: true, images: 1, practice: 0, attempts: 1 },
  });
  const stageId = shop.stages.attributes;
  await addGold(db(), shop, 'attributes', 1, marked(shop, 'tail'), { pool: 'exam' });
  const wanda = await worker(db(), shop);
  await doBatch(db(), wanda, stageId, () => marked(shop, 'wings'), 'exam');
  let setting: ReturnType<typeof setBar> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(sql`update ${exams} set finished_at = now() where worker_id = ${wanda.userId}`);
    setting = setBar(db(), tests, {
      projectId: shop.projectId,
      stageId,
      bar: { kind: 'attributes', precision: 0, recall: 0 },
      letsIn: true,
    });
    await somebodyWaits(db());
    // As a rule decides about somebody whose batch is reclaimed together with the exam.
    await tx.insert(decisions).values({
      id: newId(),
      projectId: shop.projectId,
      subject: 'worker',
      subjectId: wanda.userId,
      stageId,
      verdict: 'hint',
      reason: 'Look closely.',
    });
  });
  expect(await setting).toEqual({ letIn: 1 });
});
