import { describe, expect, it } from 'vitest';
import { bonusIdOf } from '@/app/(console)/projects/[project]/crowd/pay/bonus-id';
import { exactAmount, moneyIn } from '@/app/(console)/projects/[project]/crowd/pay/money-in';
import { listPayouts, payoutLinesOf } from '@/lib/services/crowd/overview/list-payouts';
import { workerNames } from '@/lib/services/crowd/overview/list-workers';
import { approvePayout, markPaid } from '@/lib/services/crowd/pay';
import { useDatabase } from '../../../support/database';
import { join, person } from '../../access/people';
import { worker, workshop } from '../workshop';
import { past } from './past';

const db = useDatabase();

describe('payout lists', () => {
  it('tell whom they pay and what became of them', async () => {
    const shop = await workshop(db());
    const curator = await person(db(), 'Carla');
    await join(db(), curator, shop.projectId, 'curator');
    const [ann, bo] = [await worker(db(), shop, 'Ann'), await worker(db(), shop, 'Bo')];
    await past(db(), shop, ann, { paidMicro: 1_234_567n, answers: [{}] });
    await past(db(), shop, bo, { paidMicro: 1_000_000n, answers: [{}] });
    const approved = await approvePayout(db(), curator, { projectId: shop.projectId, note: 'November' });
    const [payoutId] = approved.payoutIds as [string];
    expect(await listPayouts(db(), shop.projectId)).toMatchObject([
      {
        id: payoutId,
        state: 'approved',
        by: 'Carla',
        lines: 2,
        sums: [{ currency: 'USD', amountMicro: 2_234_567n }],
      },
    ]);
    const which = { projectId: shop.projectId, payoutId };
    const lines = await payoutLinesOf(db(), which);
    expect(lines.map(({ name, amountMicro, recruiter }) => [name, amountMicro, recruiter])).toEqual([
      ['Ann', 1_234_567n, null],
      ['Bo', 1_000_000n, null],
    ]);
    await markPaid(db(), curator, { payoutId });
    expect((await listPayouts(db(), shop.projectId))[0]).toMatchObject({ state: 'paid' });
    const other = await workshop(db());
    expect(await payoutLinesOf(db(), { ...which, projectId: other.projectId })).toEqual([]);
  });

  it('name people by their ids', async () => {
    const shop = await workshop(db());
    const ann = await worker(db(), shop, 'Ann');
    expect(await workerNames(db(), [ann.userId])).toEqual(new Map([[ann.userId, 'Ann']]));
    expect(await workerNames(db(), [])).toEqual(new Map());
  });
});

describe('a bonus list', () => {
  it('has one id whoever sends it in whatever order, and another when it says something else', () => {
    const [ann, bo] = [
      { workerId: 'ann', amountMicro: '5' },
      { workerId: 'bo', amountMicro: '7' },
    ];
    const id = bonusIdOf('p', [ann, bo]);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(bonusIdOf('p', [bo, ann])).toBe(id);
    expect(bonusIdOf('q', [ann, bo])).not.toBe(id);
    expect(bonusIdOf('p', [ann])).not.toBe(id);
  });
});

describe('money', () => {
  it('is exact in a file and never added across currencies', () => {
    expect([1_234_567n, 1_500_000n, 100n, 0n, -20_000n].map(exactAmount)).toEqual([
      '1.234567',
      '1.50',
      '0.0001',
      '0.00',
      '-0.02',
    ]);
    const rows = [
      { currency: 'USD', micro: 1_000_000n },
      { currency: 'EUR', micro: 2_000_000n },
      { currency: 'USD', micro: 500_000n },
    ];
    expect(moneyIn(rows, (row) => row.micro)).toBe('1.50\u202fUSD, 2.00\u202fEUR');
    expect(moneyIn([], () => 0n)).toBe('–');
  });
});
