import type { Transaction } from '@/db';
import type { Policy } from '@/lib/core/quality/policy';
import type { Chosen } from '../gold/choose-gold';
import { priceIn } from '../work/price';
import { writeBatch } from '../work/write-batch';

export interface GoldBatch {
  projectId: string;
  stageId: string;
  workerId: string;
  kind: 'exam' | 'practice';
  policy: Policy;
  chosen: readonly Chosen[];
  isRefresher?: boolean;
}

/** Hands out a batch of gold only. */
export async function handOutGold(
  tx: Transaction,
  { chosen, policy, isRefresher = false, ...batch }: GoldBatch,
) {
  const inOrder = [...chosen].sort((a, b) => (a.itemId.slice(-12) < b.itemId.slice(-12) ? -1 : 1));
  const price = { ...priceIn(policy), ...(isRefresher && { paysPractice: true as const }) };
  return writeBatch(
    tx,
    { ...batch, leaseMinutes: policy.leaseMinutes, price },
    inOrder.map((gold) => ({ ...gold, twinImageId: null, isExtra: true })),
  );
}
