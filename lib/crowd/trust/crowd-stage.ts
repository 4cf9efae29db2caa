import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type Actor, authorise } from '@/lib/auth';
import { notFound } from '@/lib/errors';
import { effectivePolicy } from '../work/effective-policy';

const { projects, stages } = tables;

/** A stage as its curators see it; for everybody else there is no such stage. */
export async function crowdStage(db: Db, actor: Actor, verb: 'crowd.read' | 'crowd.manage', stageId: string) {
  const [found] = await db
    .select({ stage: stages, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.id, stageId));
  if (!found) throw notFound('stage');
  const { stage, projectPolicy } = found;
  await authorise(db, actor, verb, { project: stage.projectId });
  const policy = effectivePolicy(projectPolicy, stage.policy);
  return { projectId: stage.projectId, stageId, stageKind: stage.kind, policy };
}
