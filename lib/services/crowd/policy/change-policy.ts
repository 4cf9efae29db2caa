import { and, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Actor } from '@/lib/core/actor';
import { invalid, notFound } from '@/lib/core/errors';
import { Policy, payeeProblem } from '@/lib/core/quality/policy';
import { record } from '@/lib/services/activity';
import { effectivePolicy } from '../work/effective-policy';

const { projects, stages } = tables;

/** Puts a whole policy in force for a project. What a stage says differently stays. */
export async function changePolicy(
  db: Database,
  actor: Actor,
  { projectId, policy: wanted }: { projectId: string; policy: unknown },
): Promise<void> {
  const parsed = Policy.safeParse(wanted);
  if (!parsed.success)
    throw invalid(`${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`);
  const policy = parsed.data;
  if (policy.maxOverlap < policy.overlap)
    throw invalid('The most answers per item cannot be fewer than the fewest.');
  const problem = payeeProblem(policy);
  if (problem) throw invalid(problem);
  await db.transaction(async (tx) => {
    const [project] = await tx
      .select({ policy: projects.policy })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('update');
    if (!project) throw notFound('project');
    const detail = policyDifferences(effectivePolicy(project.policy, {}), policy);
    if (detail.length === 0) return;
    await tx.update(projects).set({ policy, updatedAt: sql`now()` }).where(eq(projects.id, projectId));
    await record(tx, {
      actor,
      verb: 'policy.change',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail: Object.fromEntries(detail.map(({ path, from, to }) => [path, { from, to }])),
    });
  });
}

/** Lets the project's policy hold in a stage again. */
export async function dropStagePolicy(
  db: Database,
  actor: Actor,
  { projectId, stageId }: { projectId: string; stageId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [stage] = await tx
      .select({ policy: stages.policy })
      .from(stages)
      .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
      .for('update');
    if (!stage) throw notFound('stage');
    await tx.update(stages).set({ policy: {} }).where(eq(stages.id, stageId));
    await record(tx, {
      actor,
      verb: 'policy.drop-stage',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { from: stage.policy },
    });
  });
}

type Values = Readonly<Record<string, unknown>>;

export interface PolicyDifference {
  /** "pay.mask" */
  path: string;
  from: unknown;
  to: unknown;
}

const isGroup = (value: unknown): value is Values => typeof value === 'object' && value !== null;

/** Every number, word and switch in which two policies differ. */
export function policyDifferences(before: Values, after: Values, inside = ''): PolicyDifference[] {
  return Object.entries(after).flatMap(([name, to]) => {
    const from = before[name];
    const path = `${inside}${name}`;
    if (isGroup(to) && isGroup(from)) return policyDifferences(from, to, `${path}.`);
    return from === to ? [] : [{ path, from, to }];
  });
}
