import { desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';

const { consensusRuns, jobs, stages, users } = tables;

/** As many as a page shows; a stage with more has other problems. */
const MAX_RUNS = 50;

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
    .limit(MAX_RUNS);
  return rows.map(({ result, ...row }) => ({ ...row, tally: Tally.parse(result) }));
}

export type ConsensusRun = Awaited<ReturnType<typeof listRuns>>[number];

/** A job works on it, or is about to. */
export const isActive = ({ jobState }: Pick<ConsensusRun, 'jobState'>): boolean =>
  jobState === 'queued' || jobState === 'running' || jobState === 'retrying';

/** Begun and given up half way: it can be carried on with, or taken back. */
export const isHalfDone = (run: ConsensusRun): boolean =>
  !isActive(run) && (run.state === 'building' || (run.tally.isTakenBack && run.state === 'applied'));

const count = z.number().int().default(0);

/** What a run has come to so far; kept in its row, so that another worker can carry on. */
export const Tally = z.object({
  /** The last item that was read. */
  after: z.uuid().nullable().default(null),
  items: count,
  made: count,
  changed: count,
  /** Left as they were: corrected, imported or generated; fewer than two answers count; nothing to merge. */
  kept: count,
  tooFew: count,
  undecided: count,
  /** Questions without a winner, on which what was current stands. */
  ties: count,
  /** Of masks. */
  appeared: count,
  vanished: count,
  /** Since the run is being taken back, how many labels were given back. */
  isTakenBack: z.boolean().default(false),
  restored: count,
});
export type Tally = z.infer<typeof Tally>;
