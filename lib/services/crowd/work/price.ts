import type { Policy } from '@/lib/core/quality/policy';

/** What decides about the pay of a batch: prices, and the size that the price of a whole batch is for. */
export type Price = Pick<Policy, 'pay' | 'batchSize'> & {
  /** Set for a refresher, which the worker has to do. */
  paysPractice?: true;
};

/** What is promised when a batch is taken. A change of the policy is for those who take one after it. */
export const priceIn = ({ pay, batchSize }: Policy): Price => ({ pay, batchSize });

/** What was promised for a batch. One from before prices were kept is paid by the policy of today. */
export const promisedFor = (batch: { pay: Record<string, unknown> | null }, policy: Policy): Price =>
  batch.pay ? (batch.pay as unknown as Price) : policy;
