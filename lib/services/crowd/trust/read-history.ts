import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AnswerValue } from '@/lib/core/quality/answer';
import {
  barsOf,
  browserSince,
  type HistoryAction,
  type HistoryAnswer,
  type HistoryCheck,
  poolTimes,
  type WorkerHistory,
} from '@/lib/core/quality/history';
import { readInteraction } from '@/lib/core/quality/interaction';
import type { Policy } from '@/lib/core/quality/policy';
import { traitsOf } from '@/lib/core/quality/traits';
import { type DatasetSchema, localisedAttributes } from '@/lib/core/schema';

const {
  answerComparisons,
  answers,
  batches,
  checks,
  decisions,
  gold,
  items,
  leases,
  schemaVersions,
  stages,
  standings,
} = tables;

export interface Whose {
  projectId: string;
  stageId: string;
  workerId: string;
  policy: Policy;
  /** Answers to look back at; checks and decisions are read whole. */
  newest: number;
}

/** Of fewer people on a gold item a mean says more about them than about the item. */
const FEWEST_ON_GOLD = 5;
/** Batches of everybody from which the usual time is told. */
const POOL_BATCHES = 40;

/** What a worker did in a stage, for the rules. */
export async function readHistory(db: Db, whose: Whose): Promise<WorkerHistory> {
  const [standing] = await db
    .select({ state: standings.state, since: standings.since })
    .from(standings)
    .where(sql`${standings.stageId} = ${whose.stageId} and ${standings.workerId} = ${whose.workerId}`);
  return {
    answers: await readAnswers(db, whose),
    checks: await readChecks(db, whose),
    actions: await readActions(db, whose),
    state: standing?.state ?? 'active',
    since: standing?.since ?? new Date(0),
    ...(await readStageFacts(db, whose)),
  };
}

/** What the rules know about a stage, whoever works in it. */
export async function readStageFacts(
  db: Db,
  stage: Pick<Whose, 'projectId' | 'stageId' | 'policy'>,
): Promise<Pick<WorkerHistory, 'bars' | 'pool' | 'browserSince' | 'stageCount' | 'targetCount'>> {
  const pool = await poolOf(db, stage);
  return {
    bars: barsOf(stage.policy),
    pool: poolTimes(pool.map(({ ms }) => ms)),
    browserSince: browserSince(pool.map(({ at, isMeasured }) => ({ at: new Date(at), isMeasured }))),
    ...(await readCounts(db, stage)),
  };
}

/** Stages of the project, and parts or attributes that the stage asks about. */
async function readCounts(
  db: Db,
  { projectId, stageId }: Pick<Whose, 'projectId' | 'stageId'>,
): Promise<Pick<WorkerHistory, 'stageCount' | 'targetCount'>> {
  const found = await db.execute<{ stageCount: number; kind: StageKind; schema: DatasetSchema | null }>(sql`
    select (select count(*)::int from ${stages} o where o.project_id = ${projectId}) as "stageCount", s.kind,
      (select v.document from ${schemaVersions} v where v.project_id = ${projectId}
        order by v.number desc limit 1) as schema
    from ${stages} s where s.id = ${stageId}`);
  const [row] = found.rows;
  if (!row) throw new Error('The stage of a history exists.');
  return { stageCount: row.stageCount, targetCount: countTargets(row.kind, row.schema) };
}

function countTargets(kind: StageKind, schema: DatasetSchema | null): number {
  if (!schema) return 1;
  if (kind === 'attributes') return Math.max(1, schema.attributes.length);
  if (kind !== 'part-mask') return 1;
  return Math.max(1, localisedAttributes(schema).length + schema.parts.length);
}

type AnswerRow = Omit<HistoryAnswer, 'at' | 'interaction'> & {
  at: string;
  value: AnswerValue;
  interaction: unknown;
};

async function readAnswers(db: Db, { stageId, workerId, newest }: Whose): Promise<HistoryAnswer[]> {
  const found = await db.execute<AnswerRow>(sql`
    select a.id, a.item_id as "itemId", i.image_id as "imageId", i.target, a.created_at as at,
      a.active_ms as "activeMs", a.value, a.interaction, a.repeats_code as "repeatsCode",
      n.public_iou as "publicIou"
    from ${answers} a
    left join ${answerComparisons} n on n.answer_id = a.id
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${items} i on i.id = a.item_id
    where a.worker_id = ${workerId}
    order by a.created_at desc, a.id desc limit ${newest}`);
  return found.rows
    .map(({ value, at, interaction, ...row }) => ({
      ...row,
      at: new Date(at),
      ...traitsOf(value),
      interaction: readInteraction(interaction),
    }))
    .reverse();
}

/** `expected` is the mean of others in good standing, for some gold is hard for everybody. */
async function readChecks(db: Db, { stageId, workerId }: Whose): Promise<HistoryCheck[]> {
  const found = await db.execute<CheckRow>(checksOfStage(stageId, sql`c.worker_id = ${workerId}`));
  return found.rows.map(({ workerId: _, ...row }) => ({ ...row, at: new Date(row.at) }));
}

export type CheckRow = Omit<HistoryCheck, 'at'> & { workerId: string; at: string };

/** The scored checks of a stage that `which` holds for, in time order. A dry run reads them by the same query. */
export const checksOfStage = (stageId: string, which: SQL): SQL => sql`
    select c.worker_id as "workerId", c.id, c.gold_id as "goldId", i.image_id as "imageId", i.target, a.created_at as at, c.passed, c.score,
      case when others.n >= ${FEWEST_ON_GOLD} then others.level end as expected,
      ${comparedToModel} as model
    from ${checks} c
    join ${leases} l on l.id = c.lease_id
    join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind = 'work'
    join ${answers} a on a.lease_id = l.id
    left join ${answerComparisons} n on n.answer_id = a.id
    join ${gold} g on g.id = c.gold_id
    join ${items} i on i.id = g.item_id
    cross join lateral (
      select count(*) as n, avg((o.score->>'level')::float) as level
      from ${checks} o left join ${standings} s on s.stage_id = ${stageId} and s.worker_id = o.worker_id
      where o.gold_id = c.gold_id and o.worker_id <> c.worker_id and o.passed is not null
        and coalesce(s.state, 'active') not in ('paused', 'ended')) others
    where ${which} and c.passed is not null
    order by a.created_at, c.id`;

/** Of a row `n` of the comparisons. */
export const comparedToModel = sql`case when n.model_level is not null
  then json_build_object('level', n.model_level, 'agreement', n.model_agreement) end`;

/** Earlier releases wrote `resume` by the rule `refresher` where a refresher was finished. */
const actionVerdict = sql`case when verdict = 'resume' and rule = 'refresher' then 'refreshed' else verdict end`;

async function readActions(db: Db, { projectId, stageId, workerId }: Whose): Promise<HistoryAction[]> {
  const found = await db.execute<Omit<HistoryAction, 'at'> & { at: string }>(sql`
    select id as "decisionId", ${actionVerdict} as verdict, target, created_at as at from ${decisions}
    where subject = 'worker' and subject_id = ${workerId} and project_id = ${projectId}
      and stage_id = ${stageId}
    order by id`);
  return found.rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

type PoolRow = { ms: number; at: string; isMeasured: boolean };

/** Recent answers by everybody in the stage. */
async function poolOf(
  db: Db,
  { projectId, stageId }: Pick<Whose, 'projectId' | 'stageId'>,
): Promise<PoolRow[]> {
  const found = await db.execute<PoolRow>(sql`
    select a.active_ms as ms, a.created_at as at, a.interaction is not null as "isMeasured"
    from (
      select id from ${batches} where project_id = ${projectId} and stage_id = ${stageId}
        and kind = 'work' and state = 'submitted'
      order by id desc limit ${POOL_BATCHES}) b
    join ${leases} l on l.batch_id = b.id
    join ${answers} a on a.lease_id = l.id`);
  return found.rows;
}
