import type { Database } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { endBatch } from './end-batch';

/**
 * The worker is done with the batch, or stops early: they are paid for the items that they finished, and the
 * others go back to the pool, from where they may come to this worker again.
 */
export const submitBatch = (db: Database, actor: UserActor, input: { batchId: string }) =>
  endBatch(db, actor, input.batchId, 'submitted');
