import type { batchKinds, StageKind } from '@/db/schema';
import type { Price } from './price';

export interface Finished {
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
