import type { Query, TableState } from '@/app/_ui/table';
import { looksLikeId } from '@/lib/services/access';
import {
  type WorkerOrder,
  type WorkerQuery,
  workerOrders,
  workerStates,
} from '@/lib/services/crowd/overview/list-workers';

export type WorkerFilter = Pick<WorkerQuery, 'search' | 'state' | 'stageId'>;

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Reads the filter from a URL. Ignores invalid values, so that old bookmarks still work. */
export function readWorkerFilter(query: Query): WorkerFilter {
  const stage = one(query.stage);
  return {
    search: one(query.q)?.trim() || undefined,
    state: workerStates.find((state) => state === one(query.state)),
    stageId: stage && looksLikeId(stage) ? stage : undefined,
  };
}

export function orderOf({ sort }: Pick<TableState, 'sort'>): WorkerQuery['sort'] {
  const key = workerOrders.find((order: WorkerOrder) => order === sort?.key);
  return key && sort ? { key, descending: sort.descending } : undefined;
}
