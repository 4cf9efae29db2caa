import type { batchKinds, StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';

interface Finished {
  stageKind: StageKind;
  kind: (typeof batchKinds)[number];
  /** Items answered, and items in the batch. */
  answered: number;
  size: number;
}

export const drawsMasks = (kind: StageKind): boolean => kind === 'object-mask' || kind === 'part-mask';

/**
 * What is due for the finished items of a batch, in millionths of the currency. A whole attribute batch has
 * its price; a smaller one, or a part of one, is paid by the item at the same rate. A refresher is paid like work,
 * practice before an exam is not. A fraction of a millionth goes to the worker.
 */
export function payFor(price: Price, { stageKind, kind, answered, size }: Finished): bigint {
  const { pay, batchSize } = price;
  const share = (whole: number, of: number) => BigInt(Math.ceil((whole * answered) / of));
  const workPrice = () =>
    drawsMasks(stageKind) ? share(pay.mask, 1) : share(pay.attributeBatch, batchSize.attributes);
  switch (kind) {
    case 'exam':
      return share(drawsMasks(stageKind) ? pay.maskExam : pay.attributeExam, size);
    case 'practice':
      return price.paysPractice ? workPrice() : 0n;
    case 'work':
      return workPrice();
  }
}

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
