import { z } from 'zod';
import type { Database } from '@/db';
import { invalid } from '@/lib/errors';
import type { RunEvent } from '../runs/follow-events';
import { keepEvents, lastSeq } from '../runs/keep-events';
import { type Hold, heldRun, type Trainer } from './lease';

/** The year 2100: a clock that is further off is wrong. */
const LATEST = 4_102_444_800;

export const ToldEvent = z.looseObject({
  seq: z.number().int().min(1).max(2_000_000_000),
  t: z.number().min(0).max(LATEST),
  attempt: z.number().int().min(1),
  kind: z.string().min(1).max(80),
});

/** Writes down what a trainer elsewhere tells; sent twice, it is there once. Returns the last that is known. */
export async function receiveEvents(
  db: Database,
  trainer: Trainer,
  hold: Hold,
  events: readonly RunEvent[],
): Promise<{ lastSeq: number }> {
  return db.transaction(async (tx) => {
    await heldRun(tx, trainer, hold, { lock: true });
    const known = await lastSeq(tx, hold.runId);
    // A gap would never be filled: who reads by number would wait for it.
    const fresh = events.filter(({ seq }) => seq > known);
    if (fresh.some(({ seq }, at) => seq !== known + 1 + at))
      throw invalid(`Events come in order: the next is ${known + 1}.`);
    await keepEvents(tx, hold.runId, fresh);
    return { lastSeq: known + fresh.length };
  });
}
