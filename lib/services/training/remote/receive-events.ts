import { z } from 'zod';
import type { Database } from '@/db';
import { invalid } from '@/lib/core/errors';
import { trainerEvent } from '@/lib/core/training-spec/job-directory';
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

/** Hundreds of thousands of steps, each told; a trainer that tells more is out of order. */
const MOST_EVENTS = 1_000_000;
const MOST_CHARACTERS = 64 * 1024;

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
    if (known + fresh.length > MOST_EVENTS) throw invalid(`A run tells at most ${MOST_EVENTS} events.`);
    await keepEvents(
      tx,
      hold.runId,
      fresh.map((event) => readEvent(event, hold.attempt)),
    );
    return { lastSeq: known + fresh.length };
  });
}

/** What the pages of every project compute with: nothing but what the contract says gets in. */
function readEvent(event: RunEvent, attempt: number): RunEvent {
  const parsed = trainerEvent.safeParse(event);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`Event ${event.seq} is not valid: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  if (event.attempt !== attempt)
    throw invalid(`Event ${event.seq} is of attempt ${event.attempt}, not ${attempt}.`);
  // A test tells what became of every image, and so does the end.
  const isLong = event.kind === 'end' || (event.kind === 'metrics' && event.split === 'test');
  if (!isLong && JSON.stringify(event).length > MOST_CHARACTERS)
    throw invalid(`Event ${event.seq} is longer than ${MOST_CHARACTERS} characters.`);
  return parsed.data as RunEvent;
}
