import { and, asc, eq, gt, inArray, like, or } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { runEvents, runFiles } = tables;

export interface StoredEvent {
  seq: number;
  kind: string;
  document: Record<string, unknown>;
  at: Date;
}

/** What a run told, from an event on: for curves and the log of a page. */
export async function listEvents(
  db: Db,
  {
    runId,
    after = 0,
    kinds,
    limit = 5000,
  }: { runId: string; after?: number; kinds?: string[]; limit?: number },
): Promise<StoredEvent[]> {
  return db
    .select({
      seq: runEvents.seq,
      kind: runEvents.kind,
      document: runEvents.document,
      at: runEvents.at,
    })
    .from(runEvents)
    .where(
      and(
        eq(runEvents.runId, runId),
        gt(runEvents.seq, after),
        kinds ? inArray(runEvents.kind, kinds) : undefined,
      ),
    )
    .orderBy(asc(runEvents.seq))
    .limit(limit);
}

/** What a run made; not what is kept for a trainer elsewhere while it is open. */
export async function listRunFiles(db: Db, runId: string) {
  return db
    .select({ path: runFiles.path, sha256: runFiles.blob, bytes: runFiles.bytes })
    .from(runFiles)
    .where(
      and(eq(runFiles.runId, runId), or(like(runFiles.path, 'artifacts/%'), eq(runFiles.path, 'log.txt'))),
    )
    .orderBy(asc(runFiles.path));
}
