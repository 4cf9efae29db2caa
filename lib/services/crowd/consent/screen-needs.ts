import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { effectivePolicy } from '../work/effective-policy';

const { projects, stages } = tables;

export interface ScreenNeed {
  stageId: string;
  stage: string;
  /** In CSS pixels. */
  width: number;
}

/** Stages whose work needs a larger screen than a phone's: people learn of it before they agree to take part. */
export async function screenNeeds(db: Db, projectId: string): Promise<ScreenNeed[]> {
  const rows = await db
    .select({ stageId: stages.id, stage: stages.name, own: stages.policy, project: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.projectId, projectId))
    .orderBy(asc(stages.position));
  return rows.flatMap(({ stageId, stage, own, project }) => {
    const { minScreenWidth: width } = effectivePolicy(project, own);
    return width > 0 ? [{ stageId, stage, width }] : [];
  });
}
