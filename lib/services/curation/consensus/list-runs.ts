import { desc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { Tally } from './tally';

const { consensusRuns, jobs, stages, users } = tables;

/** As many as a page shows; a stage with more has other problems. */
const MOST = 50;

/** The consensus runs of a project, newest first, each with what its job says. */
export async function listRuns(db: Db, projectId: string) {
  const rows = await db
    .select({
      id: consensusRuns.id,
      stageId: consensusRuns.stageId,
      stage: stages.name,
      method: consensusRuns.method,
      state: consensusRuns.state,
      result: consensusRuns.result,
      jobId: consensusRuns.jobId,
      jobState: jobs.state,
      error: jobs.error,
      by: users.name,
      at: consensusRuns.createdAt,
      finishedAt: consensusRuns.finishedAt,
    })
    .from(consensusRuns)
    .innerJoin(stages, eq(stages.id, consensusRuns.stageId))
    .leftJoin(jobs, eq(jobs.id, consensusRuns.jobId))
    .leftJoin(users, eq(users.id, consensusRuns.createdBy))
    .where(eq(consensusRuns.projectId, projectId))
    .orderBy(desc(consensusRuns.id))
    .limit(MOST);
  return rows.map(({ result, ...row }) => ({ ...row, tally: Tally.parse(result) }));
}

export type ConsensusRun = Awaited<ReturnType<typeof listRuns>>[number];

/** A job works on it, or is about to. */
export const isAtWork = ({ jobState }: Pick<ConsensusRun, 'jobState'>): boolean =>
  jobState === 'queued' || jobState === 'running' || jobState === 'retrying';

/** Begun and given up half way: it can be carried on with, or taken back. */
export const isHalfDone = (run: ConsensusRun): boolean =>
  !isAtWork(run) && (run.state === 'building' || (run.tally.isTakenBack && run.state === 'applied'));
