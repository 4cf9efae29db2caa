import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { decideAboutGold } from '@/lib/services/crowd/gold';
import { hasDrifted } from '@/lib/services/crowd/gold/rotate-gold';
import { returnBatch, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { tests } from '../access/people';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  doBatch,
  elsewhere,
  itemsOf,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

/** Half of every batch, so that a few batches tell enough. */
const half = { checkRate: 0.5, checkSchedule: 'flat' };

async function checkedShop(policy: Record<string, unknown> = half, gold = 20, items = 40) {
  const shop = await workshop(db(), policy);
  await addGold(db(), shop, 'object-mask', gold, square);
  await ask(db(), shop, 'object-mask', items);
  return { shop, wanda: await worker(db(), shop), stageId: shop.stages['object-mask'] };
}

const goldOf = (shop: Workshop) =>
  db().select().from(tables.gold).where(eq(tables.gold.projectId, shop.projectId)).orderBy(tables.gold.id);

const checksOf = (actor: UserActor) =>
  db().select().from(tables.checks).where(eq(tables.checks.workerId, actor.userId)).orderBy(tables.checks.id);

describe('hidden checks', () => {
  it('take places of the batch, count for nothing but trust, and are scored when the batch ends', async () => {
    const { shop, wanda, stageId } = await checkedShop();
    const batch = await take(db(), wanda, stageId);
    expect(batch.items).toHaveLength(4);
    const hidden = await checkLeases(db(), batch.id);
    expect(hidden.size).toBe(2);
    for (const { leaseId } of batch.items) {
      await answer(
        db(),
        wanda,
        leaseId,
        hidden.has(leaseId) && [...hidden][0] === leaseId ? elsewhere : square,
      );
    }
    expect((await checksOf(wanda)).map((check) => check.passed)).toEqual([null, null]);
    const closed = await submitBatch(db(), wanda, { batchId: batch.id });
    expect(closed.pay?.amountMicro).toBe(400_000n);
    const scored = await checksOf(wanda);
    expect(scored.map((check) => check.passed).sort()).toEqual([false, true]);
    for (const { score } of scored)
      expect(score).toMatchObject({ iou: expect.any(Number), sizeAware: expect.any(Number) });
    const labels = await db().select().from(tables.labels).where(eq(tables.labels.projectId, shop.projectId));
    expect(labels).toHaveLength(2);
    const items = await itemsOf(db(), stageId);
    expect(items.every((item) => item.leased === 0)).toBe(true);
  });

  it('are never the same gold twice for a worker, come least shown first, and stop at the cap', async () => {
    const { shop, wanda, stageId } = await checkedShop({ ...half, gold: { maxExposures: 2 } }, 4, 60);
    const [will, wes] = [await worker(db(), shop, 'Will'), await worker(db(), shop, 'Wes')];
    for (const actor of [wanda, will]) {
      for (let n = 0; n < 3; n++)
        expect((await doBatch(db(), actor, stageId, () => square)).items).toHaveLength(4);
      const met = (await checksOf(actor)).map((check) => check.goldId);
      expect(met).toHaveLength(4);
      expect(new Set(met).size).toBe(4);
      const exposures = (await goldOf(shop)).map((gold) => gold.exposures);
      expect(new Set(exposures).size).toBe(1);
    }
    expect((await goldOf(shop)).map((gold) => gold.state)).toEqual([
      'retired',
      'retired',
      'retired',
      'retired',
    ]);
    const batch = await take(db(), wes, stageId);
    expect(batch.items).toHaveLength(4);
    expect((await checkLeases(db(), batch.id)).size).toBe(0);
    const told = await db()
      .select()
      .from(tables.decisions)
      .where(eq(tables.decisions.projectId, shop.projectId));
    expect(told.map(({ subject, verdict, rule }) => ({ subject, verdict, rule }))).toEqual(
      Array.from({ length: 4 }, () => ({ subject: 'gold', verdict: 'retired', rule: 'exposure' })),
    );
  });

  it('are never all of a batch of several images, and no batch is made of them when the work has run out', async () => {
    const { shop, wanda, stageId } = await checkedShop({ checkRate: 1, checkSchedule: 'flat' }, 7, 4);
    const shares: [hidden: number, items: number][] = [];
    for (let n = 0; n < 5; n++) {
      const batch = await doBatch(db(), wanda, stageId, () => square);
      shares.push([(await checkLeases(db(), batch.id)).size, batch.items.length]);
    }
    // A batch is as long as what was left: checks replace images and are never added to them.
    expect(shares).toEqual([
      [3, 4],
      [2, 3],
      [1, 2],
      [1, 1],
      [0, 1],
    ]);
    await addGold(db(), shop, 'object-mask', 5, square);
    const shown = (await goldOf(shop)).reduce((sum, gold) => sum + gold.exposures, 0);
    expect(shown).toBe(7);
    expect(await takeBatch(db(), wanda, { stageId })).toBeNull();
    expect((await goldOf(shop)).reduce((sum, gold) => sum + gold.exposures, 0)).toBe(shown);
  });

  it('in batches of one item come in the place of an item, while there is work', async () => {
    const one = { checkRate: 1, checkSchedule: 'flat', batchSize: { attributes: 1, masks: 1 } };
    const { wanda, stageId } = await checkedShop(one, 3, 1);
    for (let n = 0; n < 3; n++) {
      const batch = await doBatch(db(), wanda, stageId, () => square);
      expect((await checkLeases(db(), batch.id)).size).toBe(1);
    }
    const last = await doBatch(db(), wanda, stageId, () => square);
    expect((await checkLeases(db(), last.id)).size).toBe(0);
    expect(await takeBatch(db(), wanda, { stageId })).toBeNull();
  });

  it('come again with the other items that were left, as the same leases in a new order', async () => {
    const { shop, wanda, stageId } = await checkedShop(half, 20, 2);
    const first = await take(db(), wanda, stageId);
    const hidden = await checkLeases(db(), first.id);
    await submitBatch(db(), wanda, { batchId: first.id });
    const again = await take(db(), wanda, stageId);
    const leasesOf = ({ items }: typeof first) => items.map((item) => item.leaseId);
    expect(leasesOf(again).sort()).toEqual(leasesOf(first).sort());
    expect(await checkLeases(db(), again.id)).toEqual(hidden);
    expect((await goldOf(shop)).every((gold) => gold.exposures <= 1)).toBe(true);
    await returnBatch(db(), wanda, { batchId: again.id });
    // What was returned does not come back. The image that gold stood in for was never shown, so it is still to come.
    const rest = await take(db(), wanda, stageId);
    expect(leasesOf(rest)).toHaveLength(1);
    expect(leasesOf(first)).not.toContain(leasesOf(rest)[0]);
  });

  it('do not come again when others took the items beside them', async () => {
    const { shop, wanda, stageId } = await checkedShop(half, 20, 2);
    const first = await take(db(), wanda, stageId);
    const hidden = await checkLeases(db(), first.id);
    await submitBatch(db(), wanda, { batchId: first.id });
    await take(db(), await worker(db(), shop, 'Will'), stageId);
    await ask(db(), shop, 'object-mask', 4);
    const next = await take(db(), wanda, stageId);
    const leases = next.items.map((item) => item.leaseId);
    expect(leases.filter((leaseId) => hidden.has(leaseId))).toEqual([]);
  });

  it('are many for a newcomer, few for somebody proven, and many again when doubt rises', async () => {
    const policy = { checkRate: 0.05, checkSchedule: 'suspicion', batchSize: { attributes: 4, masks: 20 } };
    const { wanda, stageId } = await checkedShop(policy, 60, 200);
    const count = async (value: typeof square) => {
      const batch = await take(db(), wanda, stageId);
      const hidden = await checkLeases(db(), batch.id);
      for (const { leaseId } of batch.items)
        await answer(db(), wanda, leaseId, hidden.has(leaseId) ? value : square);
      await submitBatch(db(), wanda, { batchId: batch.id });
      return hidden.size;
    };
    expect(await count(square)).toBe(5);
    expect(await count(square)).toBe(1);
    for (let n = 0; n < 3; n++) await count(elsewhere);
    expect(await count(elsewhere)).toBeGreaterThanOrEqual(2);
  });
});

describe('gold', () => {
  it('that far more people pass of late is retired', () => {
    const outcomes = (early: number, late: number) => [
      ...Array.from({ length: 20 }, (_, n) => n < early),
      ...Array.from({ length: 20 }, (_, n) => n < late),
    ];
    expect(hasDrifted(outcomes(8, 20))).toBe(true);
    expect(hasDrifted(outcomes(14, 18))).toBe(false);
    expect(hasDrifted(outcomes(20, 8))).toBe(false);
    expect(hasDrifted(outcomes(20, 20))).toBe(false);
    expect(hasDrifted(outcomes(0, 20).slice(10))).toBe(false);
  });

  it('comes from items on which several agreed, once a curator confirms it', async () => {
    const shop = await workshop(db(), { overlap: 3, maxOverlap: 3 });
    const [agreed, split] = await ask(db(), shop, 'object-mask', 2, { overlap: 3 });
    const stageId = shop.stages['object-mask'];
    for (const name of ['Wanda', 'Will', 'Wes']) {
      const actor = await worker(db(), shop, name);
      const batch = await take(db(), actor, stageId);
      const rows = await db().execute<{ id: string }>(
        sql`select l.id from leases l where l.item_id = ${split} and l.batch_id = ${batch.id}`,
      );
      for (const { leaseId } of batch.items) {
        await answer(
          db(),
          actor,
          leaseId,
          rows.rows[0]?.id === leaseId && name === 'Wes' ? elsewhere : square,
        );
      }
      await submitBatch(db(), actor, { batchId: batch.id });
    }
    const [candidate, ...others] = await goldOf(shop);
    expect(others).toEqual([]);
    expect(candidate).toMatchObject({ itemId: agreed, state: 'candidate', value: square });
    await decideAboutGold(db(), tests, {
      goldId: candidate?.id as string,
      state: 'active',
      reason: 'Right.',
    });
    expect((await goldOf(shop))[0]?.state).toBe('active');
  });
});
