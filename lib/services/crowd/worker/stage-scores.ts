import { eq, inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { examResult } from '@/lib/core/quality/exam';
import type { Policy } from '@/lib/core/quality/policy';
import { type ScoreBand, scoreBandOf } from '@/lib/core/quality/score-check';
import { effectivePolicy } from '../work/effective-policy';
import { drawsMasks } from '../work/pay-for';

const { batches, checks, leases, projects, stages, answers } = tables;

/**
 * Scores cover whole groups of this many checks. A score that moved with each check would tell the worker which of
 * their answers were checks.
 */
export const SCORE_GROUP = 10;
/** Groups that count: older ones say little about how somebody works now. */
const NEWEST_GROUPS = 5;

/** One number that is held against the bar of the stage; null while there is nothing to score. */
export type Measure = { name: 'precision' | 'recall' | 'iou'; value: number | null; bar: number };

export interface StageScore {
  band: ScoreBand;
}

/** How well a worker does in a stage, coarsely and with delay; null while there are too few checks. */
export async function stageScore(
  db: Db,
  who: { workerId: string; stageId: string },
  stageKind: StageKind,
  policy: Policy,
): Promise<StageScore | null> {
  const found = await db.execute<{ score: Record<string, number> | null }>(sql`
    with scored as (
      select c.score, row_number() over (order by c.scored_at, c.id) as n, count(*) over () as total
      from ${checks} c
      join ${leases} l on l.id = c.lease_id
      join ${batches} b on b.id = l.batch_id and b.stage_id = ${who.stageId} and b.kind = 'work'
      where c.worker_id = ${who.workerId} and c.passed is not null)
    select score from scored
    where n <= total - total % ${SCORE_GROUP} and n > total - total % ${SCORE_GROUP} - ${SCORE_GROUP * NEWEST_GROUPS}
    order by n`);
  if (found.rows.length === 0) return null;
  const scores = found.rows.map(({ score }) => score ?? {});
  const measures = measuresOf(stageKind, policy, examResult(stageKind, scores, policy));
  return measures.length === 0 ? null : { band: scoreBandOf(measures) };
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

const FEWEST_ANSWERS = 5;
/** Batches that tell how long one takes now. */
const NEWEST_BATCHES = 20;

/**
 * How long the next batch of a stage will take, in milliseconds: the worker's own pace or, before there is one, that
 * of everybody; null when nobody has worked yet. A median, because one long break says nothing.
 */
export async function batchEstimate(
  db: Db,
  stage: { id: string; projectId: string; kind: StageKind },
  workerId: string,
  { batchSize }: Policy,
): Promise<number | null> {
  const own = await medianMs(db, stage, workerId);
  const perItem = own ?? (await medianMs(db, stage, null));
  return perItem === null
    ? null
    : perItem * (drawsMasks(stage.kind) ? batchSize.masks : batchSize.attributes);
}

async function medianMs(
  db: Db,
  stage: { id: string; projectId: string },
  workerId: string | null,
): Promise<number | null> {
  const whose = workerId === null ? sql`project_id = ${stage.projectId}` : sql`worker_id = ${workerId}`;
  const found = await db.execute<{ n: number; median: number | null }>(sql`
    select count(*)::int as n, percentile_cont(0.5) within group (order by a.active_ms)::float as median
    from (select id from ${batches} where ${whose} and stage_id = ${stage.id} and kind = 'work'
      and state = 'submitted' order by id desc limit ${NEWEST_BATCHES}) b
    join ${leases} l on l.batch_id = b.id
    join ${answers} a on a.lease_id = l.id`);
  const row = found.rows[0];
  return row && row.n >= FEWEST_ANSWERS ? row.median : null;
}
