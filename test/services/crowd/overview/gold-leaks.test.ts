import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type Database, tables } from '@/db';
import { goldLeaks } from '@/lib/services/crowd/overview/gold-use';
import { useDatabase } from '../../../support/database';
import { type Workshop, worker, workshop } from '../workshop';
import { form, newGold, past } from './past';

const db = useDatabase();

const WORKERS = 12;
const score = form(5, 0, 0);

/** Twelve workers, one after the other, who are all checked by the same four gold items. */
async function meetGold(db: Database, shop: Workshop, passes: (n: number, gold: number) => boolean) {
  const gold = [];
  for (let i = 0; i < 4; i++) gold.push(await newGold(db, shop, 'attributes'));
  for (let n = 0; n < WORKERS; n++)
    await past(db, shop, await worker(db, shop, `Worker ${n}`), {
      ago: WORKERS - n,
      answers: gold.map((goldId, i) => ({ check: { passed: passes(n, i), score, goldId } })),
    });
}

it('workers told each other the answers to gold, and nobody noticed: now the stage is reported', async () => {
  const shop = await workshop(db());
  await meetGold(db(), shop, (n) => n >= WORKERS / 2);
  const leaks = await goldLeaks(db(), shop.projectId);
  expect([...leaks.keys()]).toEqual([shop.stages.attributes]);
  expect(leaks.get(shop.stages.attributes)).toMatchObject({ n: 48, early: 0, late: 1 });
});

it('hard gold that many have met is not reported', async () => {
  const shop = await workshop(db());
  await meetGold(db(), shop, (n, gold) => (n + gold) % 2 === 0);
  expect(await goldLeaks(db(), shop.projectId)).toEqual(new Map());
});

it('the first workers of another cohort, who have told nobody, are compared among themselves', async () => {
  const shop = await workshop(db());
  await meetGold(db(), shop, (n) => n >= WORKERS / 2);
  // With each worker in a cohort of their own, nobody came before anybody.
  const members = await db()
    .select({ userId: tables.memberships.userId })
    .from(tables.memberships)
    .where(eq(tables.memberships.projectId, shop.projectId));
  for (const { userId } of members)
    await db()
      .update(tables.memberships)
      .set({ cohort: userId })
      .where(eq(tables.memberships.userId, userId));
  expect(await goldLeaks(db(), shop.projectId)).toEqual(new Map());
});
