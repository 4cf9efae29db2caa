import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { effectivePolicy } from '../work/effective-policy';

const { stages } = tables;

export interface CrowdStage {
  id: string;
  name: string;
  kind: StageKind;
  state: string;
  /** What the stage says differently from the project. */
  own: Record<string, unknown>;
  /** What holds in the stage. */
  policy: Policy;
}

/** The stages of a project in the order in which they are asked, each with the policy that holds in it. */
export async function crowdStages(
  db: Db,
  project: { id: string; policy: Record<string, unknown> },
): Promise<CrowdStage[]> {
  const rows = await db
    .select()
    .from(stages)
    .where(eq(stages.projectId, project.id))
    .orderBy(asc(stages.position));
  return rows.map(({ id, name, kind, state, policy }) => ({
    id,
    name,
    kind,
    state,
    own: policy,
    policy: effectivePolicy(project.policy, policy),
  }));
}
