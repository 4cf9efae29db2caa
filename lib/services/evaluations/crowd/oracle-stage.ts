import { and, eq, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, newId, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
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

/** Makes a stage in which people say what pictures of evaluations show. It asks nothing about the project's images. */
export async function makeOracleStage(
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
        // No more people than were asked for, however much they disagree: that is what is measured.
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
export async function oracleStages(db: Db, projectId: string): Promise<CrowdStage[]> {
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

/** The stage that an evaluation names, if people can be asked there. */
export async function openOracleStage(
  db: Db,
  { projectId, stageId }: { projectId: string; stageId: string },
): Promise<CrowdStage> {
  const stage = (await oracleStages(db, projectId)).find(({ id }) => id === stageId);
  if (!stage) throw notFound('oracle stage');
  if (stage.state === 'closed')
    throw conflict(`"${stage.name}" is closed: nobody can be asked there. Open it, or make another stage.`);
  return stage;
}
