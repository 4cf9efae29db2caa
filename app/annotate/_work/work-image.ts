import { type BatchState, type ItemStatus, itemStatus, type ToolId } from '@/lib/core/editor';
import type { WorkBatch, WorkItem } from './api';

/** An image of the batch with everything that is asked about it. */
export interface WorkImage {
  readonly key: string;
  /** One for each target, in the order of the batch. */
  readonly items: readonly WorkItem[];
  /** Where its first item stands in the batch. */
  readonly first: number;
}

const drawsMasks = (kind: WorkBatch['stage']['kind']): boolean =>
  kind === 'object-mask' || kind === 'part-mask';

/** Drawings of one image are made together; a form is always about one item. */
export function imagesOf({ stage, items }: Pick<WorkBatch, 'stage' | 'items'>): WorkImage[] {
  const byImage = new Map<string, WorkItem[]>();
  for (const item of items) {
    const key = drawsMasks(stage.kind) ? `image-${item.image.number}` : item.leaseId;
    byImage.set(key, [...(byImage.get(key) ?? []), item]);
  }
  return [...byImage].map(([key, own]) => ({ key, items: own, first: items.indexOf(own[0] as WorkItem) }));
}

export const isOpen = (status: ItemStatus): boolean => status === 'empty' || status === 'started';

/** Items take no more work once they are answered or reported. */
export const isClosed = (status: ItemStatus): boolean => status === 'answered' || status === 'released';

/** Open items of an image. */
export const openItems = (work: BatchState, image: WorkImage): WorkItem[] =>
  image.items.filter(({ leaseId }) => isOpen(itemStatus(work, leaseId)));

/** Items of an image that the worker still has. */
export const unclosedItems = (work: BatchState, image: WorkImage): WorkItem[] =>
  image.items.filter(({ leaseId }) => !isClosed(itemStatus(work, leaseId)));

/** The link of an item that the worker still has: a reported item may have lost its own. */
export const pictureOf = (work: BatchState, image: WorkImage): WorkItem => {
  const own = unclosedItems(work, image)[0] ?? image.items[0];
  if (!own) throw new Error('Every image of a batch has an item.');
  return own;
};

/**
 * The next item that is not done: another one of the same image if there is one, else of the following images. It
 * goes round, so that what was skipped comes again at the end.
 */
export function nextOpen(
  images: readonly WorkImage[],
  work: BatchState,
  from: WorkItem,
): WorkItem | undefined {
  const place = images.findIndex(({ items }) => items.includes(from));
  const own = images[place]?.items ?? [];
  const after = own.indexOf(from) + 1;
  const order = [
    ...own.slice(after),
    ...own.slice(0, Math.max(0, after - 1)),
    ...images.slice(place + 1).flatMap(({ items }) => items),
    ...images.slice(0, Math.max(0, place)).flatMap(({ items }) => items),
  ];
  return order.find(({ leaseId }) => isOpen(itemStatus(work, leaseId)));
}

const noTools: ReadonlySet<ToolId> = new Set();
const smartTools: ReadonlySet<ToolId> = new Set(['smart-object']);

/** The smart object tool needs installed models, or an outline of a model for one of the items. */
export const hiddenTools = (
  hasModels: boolean,
  items: readonly Pick<WorkItem, 'hasOutline'>[],
): ReadonlySet<ToolId> => (hasModels || items.some(({ hasOutline }) => hasOutline) ? noTools : smartTools);
