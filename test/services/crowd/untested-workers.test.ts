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
  itemOf,
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

const nothing: AnswerValue = { kind: 'nothing' };
const three = { overlap: 3, maxOverlap: 3 };

/** Three workers whom no check has tested answer every item of a stage. */
async function answeredByThree(
  shop: Workshop,
  kind: keyof Workshop['stages'],
  say: (worker: number, itemId: string) => AnswerValue,
) {
  const stageId = shop.stages[kind];
  for (const number of [0, 1, 2]) {
    const actor = await worker(db(), shop, `Newcomer ${number}`);
    while ((await itemsOf(db(), stageId)).some(({ answered }) => answered <= number)) {
      const batch = await take(db(), actor, stageId);
      for (const { leaseId } of batch.items)
        await answer(db(), actor, leaseId, say(number, (await itemOf(db(), leaseId)).id));
      await submitBatch(db(), actor, { batchId: batch.id });
    }
  }
}

describe('with exams disabled and three answers per item', () => {
  it('attribute labels contradicted the majority: now every one of them is the majority', async () => {
    const shop = await workshop(db(), three);
    const items = await ask(db(), shop, 'attributes', 12, { overlap: 3 });
    const options = ['tail', 'ears', 'wings', 'horns', 'mane', 'beak'];
    const chosen = (number: number, itemId: string) => {
      const n = items.indexOf(itemId);
      return options.filter((_, i) => (n * 7 + i * 3 + number * (n + i + 1)) % 4 < 2);
    };
    await answeredByThree(shop, 'attributes', (number, itemId) =>
      marked(shop, ...chosen(number, itemId), 'hairy', 'brown'),
    );
    const labels = await labelsOf(shop);
    expect(labels).toHaveLength(12);
    let contested = 0;
    for (const label of labels) {
      const value = label.value as AnswerValue;
      const given = new Set(value.kind === 'attributes' ? Object.values(value.choices).flat() : []);
      for (const option of options) {
        const votes = [0, 1, 2].filter((number) => chosen(number, label.itemId).includes(option)).length;
        expect([option, given.has(option)]).toEqual([option, votes >= 2]);
        if (votes === 1 || votes === 2) contested += 1;
      }
      expect(label.confidence).toBeGreaterThan(0);
    }
    expect(contested).toBeGreaterThan(20);
  });

  it('two "nothing to label" answers and one box produced the box: now nothing', async () => {
    for (const order of [
      [nothing, nothing, square],
      [nothing, square, nothing],
      [square, nothing, nothing],
    ]) {
      const shop = await workshop(db(), three);
      await ask(db(), shop, 'object-mask', 1, { overlap: 3 });
      await answeredByThree(shop, 'object-mask', (number) => order[number] as AnswerValue);
      const [label] = await labelsOf(shop);
      expect(label).toMatchObject({ value: nothing, mask: null, source: 'consensus' });
      expect(label?.provenance).toMatchObject({ explanation: { rule: 'majority', agree: 2, answers: 3 } });
      expect(label?.confidence).toBeGreaterThan(0.5);
    }
  });

  it('two matching drawings outvote one elsewhere, whoever came first', async () => {
    const shop = await workshop(db(), three);
    await ask(db(), shop, 'object-mask', 1, { overlap: 3 });
    await answeredByThree(shop, 'object-mask', (number) => (number === 0 ? elsewhere : square));
    expect(await labelsOf(shop)).toMatchObject([{ value: square, area: 400 }]);
  });

  it('a policy that was stored before there was a prior still works, and a stored prior is used', async () => {
    const labelOf = async (policy: object) => {
      const shop = await workshop(db(), { ...three, ...policy });
      await ask(db(), shop, 'object-mask', 1, { overlap: 3 });
      await answeredByThree(shop, 'object-mask', (number) => (number === 0 ? elsewhere : square));
      return (await labelsOf(shop))[0];
    };
    const [usual, strict] = [await labelOf({}), await labelOf({ trustPrior: { accuracy: 0.6 } })];
    expect(Object.values(usual?.provenance.weights as object)).toEqual([0.8, 0.8, 0.8]);
    expect(Object.values(strict?.provenance.weights as object)).toEqual([0.6, 0.6, 0.6]);
    expect(strict?.confidence).toBeLessThan(usual?.confidence ?? 0);
  });

  it('a newcomer counts as much as the checks of the others in the stage let expect', async () => {
    const shop = await workshop(db(), { ...three, maskExam: { isRequired: true, masks: 6 } });
    await addGold(db(), shop, 'object-mask', 20, square, { pool: 'exam' });
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 1, { overlap: 3 });
    const stageId = shop.stages['object-mask'];
    for (const name of ['Wanda', 'Will']) {
      const actor = await worker(db(), shop, name);
      await doBatch(db(), actor, stageId, () => square, 'exam');
      await doBatch(db(), actor, stageId, () => square);
    }
    await db()
      .update(tables.projects)
      .set({ policy: { ...three, checkRate: 0, maskExam: { isRequired: false } } })
      .where(eq(tables.projects.id, shop.projectId));
    await doBatch(db(), await worker(db(), shop, 'Nora'), stageId, () => square);
    const [label] = await labelsOf(shop);
    const weights = Object.values(label?.provenance.weights as Record<string, number>).sort();
    expect(weights[0]).toBeGreaterThan(0.8);
    expect(weights[0]).toBeLessThan(weights[2] as number);
  });
});
