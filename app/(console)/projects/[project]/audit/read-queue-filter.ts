import { z } from 'zod';
import type { QueueFilter } from '@/lib/curation/audit/list-queue';

const name = z.string().min(1).max(80).optional().catch(undefined);

const Filter = z.object({
  stage: z.uuid().optional().catch(undefined),
  target: name,
  warning: name,
  class: name,
});

/** What an address asks for; what it asks for in vain is left out. */
export function readQueueFilter(query: Record<string, string | string[] | undefined>): QueueFilter {
  const { stage, target, warning, class: className } = Filter.parse(query);
  return { stageId: stage, target, warning, className };
}

/** The same filter as an address. */
export function queueQuery({ stageId, target, warning, className }: QueueFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (stageId) query.set('stage', stageId);
  if (target) query.set('target', target);
  if (warning) query.set('warning', warning);
  if (className) query.set('class', className);
  return query;
}
