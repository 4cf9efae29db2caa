import { z } from 'zod';
import { type QueueFilter, queueOrders } from '@/lib/services/curation/audit/queue';

const name = z.string().min(1).max(80).optional().catch(undefined);

const Filter = z.object({
  stage: z.uuid().optional().catch(undefined),
  target: name,
  warning: name,
  class: name,
  image: z.uuid().optional().catch(undefined),
  slice: z.uuid().optional().catch(undefined),
  order: z.enum(queueOrders).optional().catch(undefined),
});

/** What an address asks for; what it asks for in vain is left out. */
export function readQueueFilter(query: Record<string, string | string[] | undefined>): QueueFilter {
  const { stage, target, warning, class: className, image, slice, order } = Filter.parse(query);
  return {
    stageId: stage,
    target,
    warning,
    className,
    imageId: image,
    sliceId: slice,
    order: order === 'risk' ? undefined : order,
  };
}

/** The same filter as an address. */
export function queueQuery(filter: QueueFilter): URLSearchParams {
  const { stageId, target, warning, className, imageId, sliceId, order } = filter;
  const query = new URLSearchParams();
  if (stageId) query.set('stage', stageId);
  if (target) query.set('target', target);
  if (warning) query.set('warning', warning);
  if (className) query.set('class', className);
  if (imageId) query.set('image', imageId);
  if (sliceId) query.set('slice', sliceId);
  if (order) query.set('order', order);
  return query;
}
