import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { JobContext } from '@/lib/services/jobs';
import { rateSoon } from '@/lib/services/jobs/enqueue';
import { buildConsensus } from './build-consensus';
import { takeBack } from './take-back';
import type { Tally } from './tally';

const { consensusRuns } = tables;

/** Builds a run or takes it back; then the audit queue learns of the labels that are current now. */
export async function actOnRun(
  context: JobContext,
  { runId, act }: { runId: string; act: 'build' | 'take-back' },
): Promise<Tally> {
  const { db } = context;
  const tally = await (act === 'build' ? buildConsensus : takeBack)(context, { runId });
  const [run] = await db
    .select({ projectId: consensusRuns.projectId })
    .from(consensusRuns)
    .where(eq(consensusRuns.id, runId));
  if (run) await db.transaction((tx) => rateSoon(tx, run));
  return tally;
}
