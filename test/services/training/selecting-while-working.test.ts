import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { resetSelection, SELECTED } from '@/lib/services/training/loop/select-next';
import { useDatabase } from '../../support/database';
import { somebodyWaits } from '../../support/meanwhile';
import { ask, itemsOf, worker } from '../crowd/workshop';
import { audited } from '../curation/audit/rated';

const db = useDatabase();
const { batches, items } = tables;

/** Items that the model has chosen, the youngest first on the disk. */
async function chosen() {
  const { shop, curator } = await audited(db());
  const stageId = shop.stages['part-mask'];
  const [low, high] = [newId(), newId()].sort() as [string, string];
  for (const id of [high, low]) await ask(db(), shop, 'part-mask', 1, { id, priority: SELECTED });
  const reset = () => resetSelection(db(), curator, { projectId: shop.projectId, stageId });
  return { shop, stageId, low, high, reset };
}

const hold = (id: string) => sql`select id from ${items} where id = ${id} for no key update`;

it('a choice of the model is taken back while an item of it is handed out, and neither fails', async () => {
  const { shop, stageId, low, reset } = await chosen();
  const wanda = await worker(db(), shop);
  let taking: ReturnType<typeof reset> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(hold(low));
    taking = reset();
    await somebodyWaits(db());
    await tx.insert(batches).values({
      projectId: shop.projectId,
      stageId,
      workerId: wanda.userId,
      leasedUntil: new Date(Date.now() + 60_000),
    });
  });
  expect(await taking).toBe(2);
  expect(await db().$count(batches, eq(batches.stageId, stageId))).toBe(1);
});

it('a choice of the model is taken back while a batch with items of it ends, and neither fails', async () => {
  const { stageId, low, high, reset } = await chosen();
  let taking: ReturnType<typeof reset> | undefined;
  await db().transaction(async (tx) => {
    await tx.execute(hold(low));
    taking = reset();
    await somebodyWaits(db());
    await tx.execute(hold(high));
  });
  expect(await taking).toBe(2);
  expect((await itemsOf(db(), stageId)).map(({ priority }) => priority)).toEqual([0, 0]);
});
