import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { getBatch } from '@/lib/services/crowd/work';
import { ask, take, worker, workshop } from '../../services/crowd/workshop';
import { useDatabase } from '../../support/database';

const db = useDatabase();

it('tells the annotator the rule of the project, and of the stage where that says otherwise', async () => {
  const shop = await workshop(db(), { subtractOtherParts: true });
  const wanda = await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 2);
  const { id: batchId } = await take(db(), wanda, shop.stages['object-mask']);
  const rule = async () => (await getBatch(db(), wanda, { batchId })).subtractOtherParts;
  expect(await rule()).toBe(true);
  await db()
    .update(tables.stages)
    .set({ policy: { subtractOtherParts: false } })
    .where(eq(tables.stages.id, shop.stages['object-mask']));
  expect(await rule()).toBe(false);
});
