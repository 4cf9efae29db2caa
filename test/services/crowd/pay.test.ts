import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import {
  approvePayout,
  cancelPayout,
  fairPayOf,
  markPaid,
  payBonus,
  workerMoney,
} from '@/lib/services/crowd/pay';
import { submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { join, person } from '../access/people';
import { answer, ask, doBatch, paidTo, square, take, worker, workshop } from './workshop';

const db = useDatabase();

/** Wanda and Will have drawn four masks each, at $0.10. */
async function paidShop() {
  const shop = await workshop(db());
  const stageId = shop.stages['object-mask'];
  await ask(db(), shop, 'object-mask', 8);
  const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
  for (const actor of [wanda, will]) await doBatch(db(), actor, stageId, () => square);
  const curator = await person(db(), 'Cora');
  await join(db(), curator, shop.projectId, 'curator');
  return { shop, stageId, wanda, will, curator, projectId: shop.projectId };
}

const money = { currency: 'USD', earned: 400_000n, approved: 0n, paid: 0n, pending: 0n, inReview: 0n };

describe('a payout', () => {
  it('lists what is pending, becomes payments once, and what is paid is not pending again', async () => {
    const { curator, wanda, projectId } = await paidShop();
    expect(await workerMoney(db(), wanda.userId)).toEqual([{ ...money, pending: 400_000n }]);
    const { payoutIds, lines } = await approvePayout(db(), curator, { projectId, note: 'November' });
    expect(lines).toBe(2);
    const [payoutId] = payoutIds as [string];
    expect(await workerMoney(db(), wanda.userId)).toEqual([{ ...money, approved: 400_000n }]);
    await expect(approvePayout(db(), curator, { projectId, note: '' })).rejects.toThrow('Nothing is pending');
    await Promise.all(Array.from({ length: 4 }, () => markPaid(db(), curator, { payoutId })));
    expect(await workerMoney(db(), wanda.userId)).toEqual([{ ...money, paid: 400_000n }]);
    await expect(cancelPayout(db(), curator, { payoutId })).rejects.toThrow('is paid');
    expect((await paidTo(db(), wanda)).map((row) => row.amountMicro)).toEqual([400_000n, -400_000n]);
  });

  it('approved by two curators at once lists no money twice', async () => {
    const { curator, projectId } = await paidShop();
    const both = await Promise.allSettled(
      Array.from({ length: 4 }, () => approvePayout(db(), curator, { projectId, note: '' })),
    );
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  });

  it('that is cancelled leaves the money pending', async () => {
    const { curator, wanda, projectId } = await paidShop();
    const { payoutIds } = await approvePayout(db(), curator, { projectId, note: '' });
    const [payoutId] = payoutIds as [string];
    await cancelPayout(db(), curator, { payoutId });
    expect(await workerMoney(db(), wanda.userId)).toEqual([{ ...money, pending: 400_000n }]);
    await expect(markPaid(db(), curator, { payoutId })).rejects.toThrow('is cancelled');
  });

  it('is for curators only', async () => {
    const { wanda, projectId } = await paidShop();
    await expect(approvePayout(db(), wanda, { projectId, note: '' })).rejects.toMatchObject({
      kind: 'not-found',
    });
  });
});

describe('a bonus', () => {
  it('is paid once, however often the list is sent', async () => {
    const { curator, wanda, will, projectId } = await paidShop();
    const lines = [wanda, will].map(({ userId }) => ({ workerId: userId, amountMicro: 50_000n }));
    const bonus = { projectId, bonusId: newId(), currency: 'USD', note: 'Top-up', lines };
    expect(await payBonus(db(), curator, bonus)).toEqual({ paid: 2 });
    expect(await payBonus(db(), curator, bonus)).toEqual({ paid: 0 });
    expect((await workerMoney(db(), wanda.userId))[0]?.earned).toBe(450_000n);
    const stranger = await person(db(), 'Sam');
    const strange = { ...bonus, bonusId: newId(), lines: [{ workerId: stranger.userId, amountMicro: 1n }] };
    await expect(payBonus(db(), curator, strange)).rejects.toThrow('not a worker of this project');
    await expect(payBonus(db(), curator, { ...bonus, lines: [...lines, ...lines] })).rejects.toThrow('twice');
  });
});

describe('a change of pay', () => {
  it('is for batches taken after it: who holds one is paid what was promised', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 8);
    const wanda = await worker(db(), shop);
    const held = await take(db(), wanda, stageId);
    await db()
      .update(tables.projects)
      .set({ policy: sql`policy || '{"pay":{"mask":10000,"currency":"EUR"}}'` })
      .where(eq(tables.projects.id, shop.projectId));
    for (const item of held.items) await answer(db(), wanda, item.leaseId);
    await submitBatch(db(), wanda, { batchId: held.id });
    await doBatch(db(), wanda, stageId, () => square);
    expect(await workerMoney(db(), wanda.userId)).toMatchObject([
      { currency: 'EUR', earned: 40_000n },
      { currency: 'USD', earned: 400_000n },
    ]);
  });
});

describe('fair pay', () => {
  it('tells the hourly rate, who is under the promise, and what would bring them to it', async () => {
    const { curator, wanda, projectId, stageId } = await paidShop();
    const [all, ...stages] = await fairPayOf(db(), curator, projectId);
    // Four masks of 1.5 s each for $0.40.
    expect(all?.pay.hourlyMicro?.value).toBeCloseTo((400_000 * 3_600_000) / 6000, -3);
    expect(all).toMatchObject({ stage: null, currency: 'USD', targetMicro: 9_000_000, pay: { topUps: [] } });
    expect(stages.find((entry) => entry.stage?.id === stageId)?.pay.activeMinutes).toMatchObject({ n: 2 });
    await expect(fairPayOf(db(), wanda, projectId)).rejects.toMatchObject({ kind: 'not-found' });
    await db()
      .update(tables.projects)
      .set({ policy: sql`policy || '{"pay":{"hourlyTarget":960000000}}'` })
      .where(eq(tables.projects.id, projectId));
    const [dear] = await fairPayOf(db(), curator, projectId);
    expect(dear?.pay.topUps).toHaveLength(2);
    expect(dear?.pay.topUpMicro).toBe(2n * 1_200_000n);
  });
});

describe('the ledger', () => {
  it('takes no second entry for the same batch, whatever happens above it', async () => {
    const { wanda, projectId, stageId } = await paidShop();
    const [entry] = await db().select().from(tables.ledger).where(eq(tables.ledger.workerId, wanda.userId));
    await expect(
      db()
        .insert(tables.ledger)
        .values({ ...(entry as NonNullable<typeof entry>), id: newId(), projectId }),
    ).rejects.toThrow();
    expect(await takeBatch(db(), wanda, { stageId })).toBeNull();
  });
});
