import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { submitBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import {
  addGold,
  answer,
  ask,
  doBatch,
  elsewhere,
  itemsOf,
  marked,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const labelsOf = (shop: Workshop) =>
  db().select().from(tables.labels).where(eq(tables.labels.projectId, shop.projectId));

/** Somebody known to be good: they passed an exam of six. */
async function proven(shop: Workshop, kind: keyof Workshop['stages'], truth: AnswerValue, name: string) {
  const actor = await worker(db(), shop, name);
  await doBatch(db(), actor, shop.stages[kind], () => truth, 'exam');
  return actor;
}

const exams = {
  attributeExam: { isRequired: true, images: 6 },
  maskExam: { isRequired: true, masks: 6 },
};

describe('an item that wants several answers', () => {
  it('is labelled by those who agree, with what each weighed', async () => {
    const shop = await workshop(db(), { ...exams, overlap: 2, maxOverlap: 2 });
    const truth = marked(shop, 'tail', 'ears', 'hairy', 'brown');
    await addGold(db(), shop, 'attributes', 12, truth, { pool: 'exam' });
    await ask(db(), shop, 'attributes', 1, { overlap: 2 });
    const answers = [];
    for (const name of ['Wanda', 'Will']) {
      const actor = await proven(shop, 'attributes', truth, name);
      const batch = await take(db(), actor, shop.stages.attributes);
      const stored = await answer(db(), actor, batch.items[0]?.leaseId as string, truth);
      await submitBatch(db(), actor, { batchId: batch.id });
      answers.push(stored.answerId);
    }
    const [label] = await labelsOf(shop);
    expect(label).toMatchObject({ source: 'consensus', value: truth, isCurrent: true });
    expect(label?.confidence).toBeGreaterThan(0.95);
    expect(label?.provenance).toMatchObject({ method: 'posterior', answers, agreed: answers });
    expect(Object.keys(label?.provenance.weights as object).sort()).toEqual([...answers].sort());
    expect(JSON.stringify(label?.provenance)).not.toContain(shop.projectId);
  });

  it('asks once more while its answers leave it unsure, up to the maximum', async () => {
    const shop = await workshop(db(), { ...exams, overlap: 2, maxOverlap: 3 });
    await addGold(db(), shop, 'object-mask', 20, square, { pool: 'exam' });
    await ask(db(), shop, 'object-mask', 1, { overlap: 2 });
    const stageId = shop.stages['object-mask'];
    const open = async () => (await itemsOf(db(), stageId)).find((item) => item.overlap > 1);
    await doBatch(db(), await proven(shop, 'object-mask', square, 'Wanda'), stageId, () => square);
    await doBatch(db(), await proven(shop, 'object-mask', square, 'Will'), stageId, () => elsewhere);
    expect(await open()).toMatchObject({ state: 'open', answered: 2, overlap: 3 });
    expect(await labelsOf(shop)).toEqual([]);
    await doBatch(db(), await proven(shop, 'object-mask', square, 'Wes'), stageId, () => square);
    expect(await open()).toMatchObject({ state: 'settled', answered: 3, overlap: 3 });
    expect(await labelsOf(shop)).toMatchObject([{ source: 'consensus', value: square, area: 400 }]);
  });

  it('may begin with one answer: of somebody proven it is enough, of a newcomer it is not', async () => {
    const policy = { ...exams, overlap: 1, maxOverlap: 2, confidence: 0.86, checkRate: 0 };
    const shop = await workshop(db(), policy);
    await addGold(db(), shop, 'object-mask', 20, square, { pool: 'exam' });
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 1);
    await doBatch(db(), await proven(shop, 'object-mask', square, 'Wanda'), stageId, () => square);
    expect(await labelsOf(shop)).toMatchObject([
      { source: 'answer', provenance: { method: 'single-answer' } },
    ]);
    await db()
      .update(tables.projects)
      .set({ policy: { ...policy, maskExam: { isRequired: false } } })
      .where(eq(tables.projects.id, shop.projectId));
    const [second] = await ask(db(), shop, 'object-mask', 1);
    await doBatch(db(), await worker(db(), shop, 'Nora'), stageId, () => square);
    const items = await itemsOf(db(), stageId);
    expect(items.find((item) => item.id === second)).toMatchObject({
      state: 'open',
      overlap: 2,
      answered: 1,
    });
  });

  it('settles whether there is anything to draw before where it is', async () => {
    const shop = await workshop(db(), { ...exams, overlap: 3, maxOverlap: 3 });
    await addGold(db(), shop, 'object-mask', 30, square, { pool: 'exam' });
    await ask(db(), shop, 'object-mask', 1, { overlap: 3 });
    const stageId = shop.stages['object-mask'];
    const given: AnswerValue[] = [{ kind: 'nothing' }, square, { kind: 'nothing' }];
    for (const [n, value] of given.entries()) {
      await doBatch(db(), await proven(shop, 'object-mask', square, `P${n}`), stageId, () => value);
    }
    expect(await labelsOf(shop)).toMatchObject([{ value: { kind: 'nothing' }, mask: null, area: null }]);
  });
});
