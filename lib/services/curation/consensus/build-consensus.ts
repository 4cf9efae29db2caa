import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { JobContext } from '@/lib/services/jobs';
import { buildChunk } from './build-chunk';
import { mergerFor } from './merger';
import { hasSeveral } from './read-items';
import type { Tally } from './tally';

const { consensusRuns, items, stages } = tables;

/** Builds a run from where it stands: what a killed worker or a cancelled job has done stays done. */
export async function buildConsensus(
  { db, signal, progress }: Pick<JobContext, 'db' | 'signal' | 'progress'>,
  { runId, chunk }: { runId: string; chunk?: number },
): Promise<Tally> {
  const run = await readRun(db, runId);
  const merge = await mergerFor(db, run);
  for (;;) {
    signal.throwIfAborted();
    const { tally, isLast } = await buildChunk(db, runId, merge, chunk);
    await progress(tally.items, Math.max(run.total, tally.items), `${tally.changed} labels changed`);
    if (isLast) return tally;
  }
}

async function readRun(db: Db, runId: string) {
  const [found] = await db
    .select({
      projectId: consensusRuns.projectId,
      stageId: consensusRuns.stageId,
      stageKind: stages.kind,
      method: consensusRuns.method,
      total: sql<number>`(select count(*)::int from ${items} i where i.stage_id = ${stages.id} and ${hasSeveral})`,
    })
    .from(consensusRuns)
    .innerJoin(stages, eq(stages.id, consensusRuns.stageId))
    .where(eq(consensusRuns.id, runId));
  if (!found) throw notFound('consensus run');
  // The run's own id: the same run believes the same people, however often it is taken up again.
  return { ...found, seed: runId };
}
