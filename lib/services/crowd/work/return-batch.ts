import type { Database } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { endBatch } from './end-batch';

/**
 * The worker does not want this batch: its open items go to others and never come to this worker again. Items
 * that were finished before stay finished, and paid.
 */
export const returnBatch = (db: Database, actor: UserActor, input: { batchId: string }) =>
  endBatch(db, actor, input.batchId, 'returned');
