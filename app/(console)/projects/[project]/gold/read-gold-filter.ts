import type { Query } from '@/app/_ui/table';
import { type GoldPool, goldPools, goldStates } from '@/db/schema';
import { looksLikeId } from '@/lib/services/access';
import type { GoldState } from '@/lib/services/curation/gold';

export interface GoldFilter {
  state?: GoldState;
  pool?: GoldPool;
  stageId?: string;
  target?: string;
  after?: string;
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) || undefined;
const id = (value: string | string[] | undefined) => {
  const text = one(value);
  return text !== undefined && looksLikeId(text) ? text : undefined;
};

/** What an address says; what it says wrongly is left out, so that an old bookmark still opens. */
export const readGoldFilter = (query: Query): GoldFilter => ({
  state: goldStates.find((state) => state === one(query.state)),
  pool: goldPools.find((pool) => pool === one(query.pool)),
  stageId: id(query.stage),
  target: one(query.target),
  after: id(query.after),
});
