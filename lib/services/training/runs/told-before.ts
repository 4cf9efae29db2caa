import { and, asc, desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { RunEvent } from './follow-events';

const { runEvents } = tables;

/**
 * What a trainer must know of what was told before, as lines of `events.jsonl`: the artefacts, which its verdict lists,
 * and the last event, after which it counts on.
 */
export async function toldBefore(db: Db, runId: string): Promise<RunEvent[]> {
  const artifacts = await db
    .select()
    .from(runEvents)
    .where(and(eq(runEvents.runId, runId), eq(runEvents.kind, 'artifact')))
    .orderBy(asc(runEvents.seq));
  const [last] = await db
    .select()
    .from(runEvents)
    .where(eq(runEvents.runId, runId))
    .orderBy(desc(runEvents.seq))
    .limit(1);
  const rows = last && last.seq !== artifacts.at(-1)?.seq ? [...artifacts, last] : artifacts;
  return rows.map(({ seq, kind, document, at }) => ({
    ...(document as { attempt: number }),
    seq,
    kind,
    t: at.getTime() / 1000,
  }));
}
