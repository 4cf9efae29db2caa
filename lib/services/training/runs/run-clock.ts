import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { JobSpec } from '@/lib/core/training-spec';
import type { RunEvent } from './follow-events';

const { runEvents } = tables;

interface Span {
  /** Milliseconds since 1970. */
  first: number;
  last: number;
}

/** Begin, what is kept, and end of an attempt: what a crash took back is not counted. */
const kinds = ['start', 'checkpoint', 'end'];

/** How long a run has trained, over all its attempts; waiting for a machine does not count. */
export class RunClock {
  private readonly spans = new Map<number, Span>();
  /** The attempt that has reported events and has not ended; an older one may have been killed without reporting. */
  private live: number | null = null;

  static async open(db: Db, runId: string): Promise<RunClock> {
    const attempt = sql<number>`(${runEvents.document} ->> 'attempt')::int`;
    const rows = await db
      .select({
        attempt,
        first: sql<number>`extract(epoch from min(${runEvents.at}))::float8`,
        last: sql<number>`extract(epoch from max(${runEvents.at}))::float8`,
      })
      .from(runEvents)
      .where(and(eq(runEvents.runId, runId), inArray(runEvents.kind, kinds)))
      .groupBy(attempt);
    const clock = new RunClock();
    for (const { attempt: number, first, last } of rows)
      clock.spans.set(number, { first: first * 1000, last: last * 1000 });
    return clock;
  }

  addEvents(events: readonly RunEvent[]): void {
    for (const { attempt, kind, t } of events) {
      this.live = kind === 'end' ? null : attempt;
      if (!kinds.includes(kind)) continue;
      const span = this.spans.get(attempt);
      this.spans.set(attempt, {
        first: span?.first ?? t * 1000,
        last: Math.max(span?.last ?? 0, t * 1000),
      });
    }
  }

  /** With the moment it is now where the last attempt is still at it. */
  spentMs(now?: number): number {
    let sum = 0;
    for (const [attempt, { first, last }] of this.spans)
      sum += Math.max(0, (now !== undefined && attempt === this.live ? now : last) - first);
    return sum;
  }
}

/** What the verdict of a run says that the platform has stopped. */
export const OUT_OF_TIME = 'out-of-time';

class OutOfTime extends TesseraError {
  constructor(minutes: number) {
    super(
      'invalid',
      `The run has trained for the ${minutes} min it was given (resources.wallMinutes) and stopped with a checkpoint. Resume it with more time to go on.`,
    );
  }
}

/** The resources of a run with the minutes it has left; refuses one that has none. */
export async function withinTime(db: Db, runId: string, spec: JobSpec): Promise<JobSpec['resources']> {
  const { wallMinutes } = spec.resources;
  if (wallMinutes === null) return spec.resources;
  const spent = (await RunClock.open(db, runId)).spentMs() / 60_000;
  if (spent < wallMinutes) return { ...spec.resources, wallMinutes: wallMinutes - spent };
  throw new OutOfTime(wallMinutes);
}
