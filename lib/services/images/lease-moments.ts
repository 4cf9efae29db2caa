import { and, eq, notInArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { HistoryEntry } from './image-history';
import { questionWords } from './question-words';

const { batches, items, leases, stages, users } = tables;

/** When questions about an image were handed out and came back without an answer; answers tell the rest. */
export async function leaseMoments(db: Db, imageId: string): Promise<HistoryEntry[]> {
  const rows = await db
    .select({
      at: batches.createdAt,
      state: leases.state,
      batch: batches.kind,
      by: users.name,
      workerId: leases.workerId,
      stage: stages.name,
      target: items.target,
    })
    .from(leases)
    .innerJoin(items, eq(items.id, leases.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(batches, eq(batches.id, leases.batchId))
    .innerJoin(users, eq(users.id, leases.workerId))
    .where(and(eq(items.imageId, imageId), notInArray(leases.state, ['answered', 'late'])));
  return rows.map(({ at, state, batch, by, workerId, stage, target }) => ({
    at,
    kind: 'lease',
    by,
    workerId,
    text: `${state === 'open' ? 'handed out' : 'handed out, given back'}: ${questionWords(stage, target)}${
      batch === 'work' ? '' : ` (${batch})`
    }`,
  }));
}
