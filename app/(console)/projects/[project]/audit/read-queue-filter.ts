import { z } from 'zod';
import { type QueueFilter, queueOrders } from '@/lib/curation/audit/list-queue';

const name = z.string().min(1).max(80).optional().catch(undefined);

const Filter = z.object({
  stage: z.uuid().optional().catch(undefined),
  target: name,
  warning: name,
  class: name,
  order: z.enum(queueOrders).optional().catch(undefined),
});

/** What an address asks for; what it asks for in vain is left out. */
export function readQueueFilter(query: Record<string, string | string[] | undefined>): QueueFilter {
  const { stage, target, warning, class: className, order } = Filter.parse(query);
  return { stageId: stage, target, warning, className, order: order === 'risk' ? undefined : order };
}

/** The same filter as an address. */
export function queueQuery({ stageId, target, warning, className, order }: QueueFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (stageId) query.set('stage', stageId);
  if (target) query.set('target', target);
  if (warning) query.set('warning', warning);
  if (className) query.set('class', className);
  if (order) query.set('order', order);
  return query;
}
