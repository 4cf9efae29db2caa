import { and, eq, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, newId, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { maxQuestions } from '@/lib/core/robustness/fmr/chain';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import { holdWaiting } from '@/lib/services/crowd/oracle';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/services/crowd/overview/try-rules';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';

const { projects, stages } = tables;

export const NewOracleStage = z.strictObject({
  name: z.string().trim().min(1, 'Give the stage a name.').max(80),
  /** Of an even number, half may say one thing and half another. */
  people: z
    .number()
    .int()
    .min(1)
    .max(15)
    .refine((people) => people % 2 === 1, 'an odd number, so that there is a majority')
    .default(3),
  /** Pictures handed out at a time, and what that many pay in millionths of the currency. */
  batch: z.number().int().min(1).max(200).default(20),
  payMicro: z.number().int().min(0).max(1_000_000_000),
});
export type NewOracleStage = z.infer<typeof NewOracleStage>;

/** Creates a stage in which workers classify pictures of evaluations. It has no items for project images. */
export async function createOracleStage(
  db: Database,
  actor: Actor,
  { projectId, stage: given }: { projectId: string; stage: NewOracleStage },
): Promise<{ id: string }> {
  await authorise(db, actor, 'crowd.manage', { project: projectId });
  const parsed = NewOracleStage.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { name, people, batch, payMicro } = parsed.data;
  return db.transaction(async (tx) => {
    const [last] = await tx
      .select({ position: max(stages.position) })
      .from(stages)
      .where(eq(stages.projectId, projectId));
    const id = newId();
    const made = await tx
      .insert(stages)
      .values({
        id,
        projectId,
        kind: 'oracle',
        asks: 'evaluations',
        name,
        position: (last?.position ?? 0) + 1,
        // Disagreement is measured, so it must not trigger additional answers.
        policy: {
          overlap: people,
          maxOverlap: people,
          batchSize: { attributes: batch },
          pay: { attributeBatch: payMicro },
        },
      })
      .onConflictDoNothing()
      .returning({ id: stages.id });
    if (made.length === 0) throw conflict(`The project has a stage "${name}" already: choose another name.`);
    await record(tx, {
      actor,
      verb: 'stage.make',
      subject: 'stage',
      subjectId: id,
      projectId,
      detail: { name, kind: 'oracle', people, batch, payMicro },
    });
    return { id };
  });
}

/** Stages in which evaluations ask, with the policy that holds in each. One statement. */
export async function findOracleStages(db: Db, projectId: string): Promise<CrowdStage[]> {
  const rows = await db
    .select({ stage: stages, project: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(and(eq(stages.projectId, projectId), eq(stages.asks, 'evaluations')))
    .orderBy(stages.position, sql`${stages.id}`);
  return rows.map(({ stage: { id, name, kind, state, policy }, project }) => ({
    id,
    name,
    kind,
    state,
    own: policy,
    policy: effectivePolicy(project, policy),
  }));
}

/** Returns the oracle stage of an evaluation. Throws if it is closed. */
export async function openOracleStage(
  db: Db,
  { projectId, stageId }: { projectId: string; stageId: string },
): Promise<CrowdStage> {
  const stage = (await findOracleStages(db, projectId)).find(({ id }) => id === stageId);
  if (!stage) throw notFound('oracle stage');
  if (stage.state === 'closed') throw conflict(`"${stage.name}" is closed. Open it or create another stage.`);
  return stage;
}

interface CrowdCost {
  images: number;
  /** Upper bound: an image rejected in the first picture needs two questions only. */
  questions: number;
  /** People per question. */
  people: number;
  costMicro: bigint;
  currency: string;
}

/** Estimates the maximum cost of judging chains. */
export function estimateCrowdCost(
  stage: Pick<CrowdStage, 'kind' | 'policy'>,
  images: number,
  length: number,
): CrowdCost {
  const { overlap, pay } = stage.policy;
  const questions = images * (1 + maxQuestions(length));
  return {
    images,
    questions,
    people: overlap,
    costMicro: priceOf(stage, questions * overlap),
    currency: pay.currency,
  };
}

const { evaluations, items, oracleQuestions } = tables;

/**
 * Stops an evaluation that waits for workers and withdraws its own open items. Submitted and leased answers are paid and
 * kept; the same evaluation reuses them when it is started again.
 */
export async function stopCrowdQuestions(
  db: Database,
  actor: Actor,
  { projectId, evaluationId }: { projectId: string; evaluationId: string },
): Promise<{ withdrawn: number }> {
  await authorise(db, actor, 'evaluations.write', { project: projectId });
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ id: evaluations.id })
      .from(evaluations)
      .where(sql`${evaluations.id} = ${evaluationId} and ${evaluations.projectId} = ${projectId}`);
    if (!known) throw notFound('evaluation');
    // Lock items first, in the same order as submitting a batch, to avoid deadlocks.
    await tx.execute(sql`
      select i.id from ${items} i where i.id in (select q.item_id from ${oracleQuestions} q
        where q.evaluation_id = ${evaluationId}) order by i.id for no key update of i`);
    const evaluation = await holdWaiting(tx, evaluationId);
    if (!evaluation) throw conflict('The evaluation is not waiting for workers. Cancel its job instead.');
    await tx
      .update(evaluations)
      .set({ state: 'cancelled', finishedAt: sql`now()` })
      .where(eq(evaluations.id, evaluationId));
    const gone = await tx.execute<{ id: string }>(sql`
      update ${items} i set state = 'withdrawn'
      where i.state = 'open' and i.id in (
        select q.item_id from ${oracleQuestions} q where q.evaluation_id = ${evaluationId})
      and not exists (
        select 1 from ${oracleQuestions} other join ${evaluations} e on e.id = other.evaluation_id
        where other.item_id = i.id and e.id <> ${evaluationId} and e.state in ('waiting', 'queued', 'running'))
      returning i.id`);
    await record(tx, {
      actor,
      verb: 'evaluation.stop',
      subject: 'evaluation',
      subjectId: evaluationId,
      projectId,
      detail: { withdrawn: gone.rows.length },
    });
    return { withdrawn: gone.rows.length };
  });
}
