import { and, eq, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import { CHUNK } from './build-consensus';
import { isActive, listRuns } from './list-runs';
import { methodsFor } from './methods';
import { hasSeveral } from './read-items';

const { consensusRuns, items, stages } = tables;

/** The kind of the job that builds a run, carries on with one, or takes one back. */
export const JOB = 'build-consensus';

export interface NewRun {
  projectId: string;
  stageId: string;
  method: string;
}

/** Starts to make derived labels of a stage. Gives the ids of the run and of its job. */
export async function startRun(
  db: Database,
  actor: Actor,
  input: NewRun,
): Promise<{ id: string; jobId: string }> {
  return db.transaction(async (tx) => {
    const stage = await lockStage(tx, input);
    const method = methodsFor(stage.kind).find(({ id }) => id === input.method);
    if (!method) throw invalid(`"${input.method}" does not merge answers of this stage.`);
    await requireNoActiveRun(tx, input);
    const waiting = await countSeveral(tx, stage.id);
    if (waiting === 0)
      throw conflict('No settled item of this stage has two answers: there is nothing to merge.');
    const id = newId();
    const jobId = await enqueue(
      tx,
      JOB,
      { runId: id, act: 'build' },
      {
        title: `Consensus of ${stage.name} by ${method.name}`,
        projectId: input.projectId,
        startedBy: actorId(actor),
      },
    );
    await tx.insert(consensusRuns).values({
      id,
      projectId: input.projectId,
      stageId: stage.id,
      method: method.id,
      parameters: { chunk: CHUNK },
      jobId,
      createdBy: actorId(actor),
    });
    await record(tx, {
      actor,
      verb: 'consensus.build',
      subject: 'consensus-run',
      subjectId: id,
      projectId: input.projectId,
      detail: { stage: stage.name, method: method.id, items: waiting },
    });
    return { id, jobId };
  });
}

export interface KnownRun {
  projectId: string;
  runId: string;
}

/** Carries on with a run whose job failed or was cancelled. */
export async function resumeRun(db: Database, actor: Actor, input: KnownRun): Promise<{ jobId: string }> {
  return act(db, actor, input, 'build');
}

/** Starts to give back the labels that were current before a run; the newest of a stage goes first. */
export async function startTakingBack(
  db: Database,
  actor: Actor,
  input: KnownRun,
): Promise<{ jobId: string }> {
  return act(db, actor, input, 'take-back');
}

async function act(
  db: Database,
  actor: Actor,
  { projectId, runId }: KnownRun,
  what: 'build' | 'take-back',
): Promise<{ jobId: string }> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ stageId: consensusRuns.stageId, method: consensusRuns.method })
      .from(consensusRuns)
      .where(and(eq(consensusRuns.id, runId), eq(consensusRuns.projectId, projectId)));
    if (!found) throw notFound('consensus run');
    const stage = await lockStage(tx, { projectId, stageId: found.stageId });
    await requireNoActiveRun(tx, { projectId, stageId: found.stageId });
    const run = await requireNewest(tx, { projectId, stageId: found.stageId, runId });
    if (run.state === 'taken-back') throw conflict('This run has been taken back already.');
    if (what === 'build' && (run.state === 'applied' || run.tally.isTakenBack))
      throw conflict('This run is not one to carry on with: start a new one.');
    const title = what === 'build' ? 'Consensus' : 'Take back the consensus';
    const jobId = await enqueue(
      tx,
      JOB,
      { runId, act: what },
      { title: `${title} of ${stage.name}`, projectId, startedBy: actorId(actor) },
    );
    await tx.update(consensusRuns).set({ jobId }).where(eq(consensusRuns.id, runId));
    await record(tx, {
      actor,
      verb: what === 'build' ? 'consensus.resume' : 'consensus.take-back',
      subject: 'consensus-run',
      subjectId: runId,
      projectId,
      detail: { stage: stage.name, method: found.method },
    });
    return { jobId };
  });
}

/** The stage's row is the mutex: no two runs are built or taken back in a stage at once. */
async function lockStage(tx: Transaction, { projectId, stageId }: Omit<NewRun, 'method'>) {
  const [stage] = await tx
    .select({ id: stages.id, name: stages.name, kind: stages.kind })
    .from(stages)
    .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
    .for('no key update');
  if (!stage) throw notFound('stage');
  return stage;
}

async function requireNoActiveRun(
  tx: Transaction,
  { projectId, stageId }: Omit<NewRun, 'method'>,
): Promise<void> {
  const busy = (await listRuns(tx, projectId)).find((run) => run.stageId === stageId && isActive(run));
  if (busy) throw conflict('A run of this stage is at work: wait for it, or cancel its job first.');
}

/** The labels of an older run lie under those of a newer one. */
async function requireNewest(tx: Transaction, { projectId, stageId, runId }: KnownRun & { stageId: string }) {
  const runs = (await listRuns(tx, projectId)).filter((run) => run.stageId === stageId);
  const newest = runs.find((run) => run.state !== 'taken-back' || run.id === runId);
  if (newest?.id !== runId)
    throw conflict('A newer run of this stage stands above it: take that back first.');
  return newest;
}

async function countSeveral(db: Db, stageId: string): Promise<number> {
  const found = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${items} i where i.stage_id = ${stageId} and ${hasSeveral}`,
  );
  return found.rows[0]?.n ?? 0;
}
