import { eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { examResult } from '@/lib/quality/exam';
import type { Policy } from '@/lib/quality/policy';
import { effectivePolicy } from '../work/effective-policy';

const { batches, checks, leases, projects, stages } = tables;

/** Of fewer checks a score would say little about the work, and much about a single item. */
export const FEWEST_CHECKS = 5;
/** Checks that count: older ones say little about how somebody works now. */
const NEWEST_CHECKS = 500;

/** One number that is held against the bar of the stage; null while there is nothing to score. */
export type Measure = { name: 'precision' | 'recall' | 'iou'; value: number | null; bar: number };

export interface StageScore {
  n: number;
  passed: number;
  measures: Measure[];
  /** By how much the last few checks are better than those before, as a share; null while there are few. */
  trend: number | null;
}

/** How well a worker does in a stage: of all hidden checks together, never of one; null while there are few. */
export async function stageScore(
  db: Db,
  who: { workerId: string; stageId: string },
  stageKind: StageKind,
  policy: Policy,
): Promise<StageScore | null> {
  const found = await db.execute<{ score: Record<string, number> | null; passed: boolean }>(sql`
    select c.score, c.passed from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${who.stageId} and b.kind = 'work'
    where c.worker_id = ${who.workerId} and c.passed is not null
    order by c.id desc limit ${NEWEST_CHECKS}`);
  const n = found.rows.length;
  if (n < FEWEST_CHECKS) return null;
  const scores = found.rows.map(({ score }) => score ?? {});
  return {
    n,
    passed: found.rows.filter(({ passed }) => passed).length,
    measures: measuresOf(stageKind, policy, examResult(stageKind, scores, policy)),
    trend: trendOf(scores.map(({ level }) => level ?? 0)),
  };
}

/** The same for several stages at once; those with too few checks are left out. */
export async function stageScores(
  db: Db,
  workerId: string,
  stageIds: readonly string[],
): Promise<Map<string, StageScore>> {
  if (stageIds.length === 0) return new Map();
  const rows = await db
    .select({ stage: stages, projectPolicy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(inArray(stages.id, [...stageIds]));
  const found = await Promise.all(
    rows.map(async ({ stage, projectPolicy }) => {
      const policy = effectivePolicy(projectPolicy, stage.policy);
      return [stage.id, await stageScore(db, { workerId, stageId: stage.id }, stage.kind, policy)] as const;
    }),
  );
  return new Map(found.flatMap(([id, score]) => (score ? [[id, score] as const] : [])));
}

type Scores = { precision: number | null; recall: number | null; meanIou: number | null };

export function measuresOf(kind: StageKind, policy: Policy, scores: Scores): Measure[] {
  const { attributeExam, maskExam } = policy;
  switch (kind) {
    case 'attributes':
      return [
        { name: 'precision', value: scores.precision, bar: attributeExam.minPrecision },
        { name: 'recall', value: scores.recall, bar: attributeExam.minRecall },
      ];
    case 'object-mask':
    case 'part-mask':
      return [{ name: 'iou', value: scores.meanIou, bar: maskExam.minMeanIou }];
    case 'oracle':
      return [];
  }
}

/** `levels` are newest first. */
function trendOf(levels: readonly number[]): number | null {
  const recent = levels.slice(0, FEWEST_CHECKS);
  const before = levels.slice(FEWEST_CHECKS);
  return before.length < FEWEST_CHECKS ? null : mean(recent) - mean(before);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
