import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { useDatabase } from '../../support/database';
import { addGold, ask, checkLeases, doBatch, square, take, worker, workshop } from './workshop';

const db = useDatabase();
const kind = 'part-mask' as const;

/** Images with two parts each: one is gold, the other is still open. */
async function partlyGold(images: number, ordinary: number) {
  const shop = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat' });
  await ask(db(), shop, kind, ordinary);
  for (const goldId of await addGold(db(), shop, kind, images, square)) {
    const [row] = await db()
      .select({ imageId: tables.items.imageId })
      .from(tables.gold)
      .innerJoin(tables.items, eq(tables.items.id, tables.gold.itemId))
      .where(eq(tables.gold.id, goldId));
    await ask(db(), shop, kind, 1, { imageId: row?.imageId, target: 'tail' });
  }
  return { shop, wanda: await worker(db(), shop), stageId: shop.stages[kind] };
}

/** Gold of these tests has no labels, which another rule is about. */
const broken = async () =>
  (await checkRules(db())).filter(
    ({ name, violations }) => violations > 0 && name !== 'settled items have labels',
  );

it('an image of which one part is gold is in a batch once, as work or as a check', async () => {
  for (let round = 0; round < 5; round++) {
    const { wanda, stageId } = await partlyGold(3, 3);
    for (let n = 0; n < 12; n++) {
      if (!(await takeBatch(db(), wanda, { stageId }))) break;
      await doBatch(db(), wanda, stageId, () => square);
    }
    expect(await broken()).toEqual([]);
  }
});

it('an image of which one part is gold comes back once when it was left unanswered', async () => {
  for (let round = 0; round < 5; round++) {
    const { wanda, stageId } = await partlyGold(3, 3);
    for (let n = 0; n < 3; n++) {
      const batch = await take(db(), wanda, stageId);
      expect((await checkLeases(db(), batch.id)).size).toBeLessThanOrEqual(batch.items.length);
      await submitBatch(db(), wanda, { batchId: batch.id });
    }
    expect(await broken()).toEqual([]);
  }
});
