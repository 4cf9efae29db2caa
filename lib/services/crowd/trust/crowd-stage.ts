import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { type Actor, authoriseThrough } from '@/lib/services/access';
import { effectivePolicy } from '../work/effective-policy';

const { projects, stages } = tables;

/** A stage as its curators see it; for everybody else there is no such stage. */
export async function crowdStage(db: Db, actor: Actor, verb: 'crowd.read' | 'crowd.manage', stageId: string) {
  const [found] = await db
    .select({ stage: stages, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.id, stageId));
  await authoriseThrough(db, actor, verb, { what: 'stage', projectId: found?.stage.projectId });
  if (!found) throw notFound('stage');
  const { stage, projectPolicy } = found;
  const policy = effectivePolicy(projectPolicy, stage.policy);
  return { projectId: stage.projectId, stageId, stageKind: stage.kind, policy };
}
