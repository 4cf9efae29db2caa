import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { groupBy } from '@/lib/core/quality/group-by';
import type { Policy } from '@/lib/core/quality/policy';
import {
  formRules,
  frequenciesOf,
  type Reliability,
  type ScoredCheck,
  type StageFacts,
  type StagePrior,
  sharedErrorOf,
  stageReliability,
} from '@/lib/core/quality/posterior';
import type { DatasetSchema } from '@/lib/core/schema';

const { answers, batches, checks, gold, leases, schemaVersions, stages } = tables;

/** The newest checks describe current work, and a limit keeps the query fast for workers with a long history. */
const CHECKS_PER_WORKER = 100;
/** Batches of a stage whose checks stand for its population. */
const BATCHES_OF_STAGE = 200;

export interface StageTrust {
  prior: StagePrior;
  /** All requested workers. */
  workers: ReadonlyMap<string, Reliability>;
}

/** Estimates how far workers of a stage can be relied on, from its scored checks and exams. Three statements. */
export async function readReliability(
  tx: Db,
  { stageId, policy }: { stageId: string; policy: Pick<Policy, 'trustPrior' | 'maskExam'> },
  workerIds: readonly string[],
): Promise<StageTrust> {
  const { schema, kind } = await stageOf(tx, stageId);
  const facts: StageFacts = {
    attributes: kind === 'attributes' ? (schema?.attributes ?? []).map(({ id }) => id) : [],
    bar: policy.maskExam.minMeanIou,
  };
  const ofStage = await checksOfStage(tx, stageId);
  const own = groupBy(await checksOfWorkers(tx, stageId, workerIds), (check) => check.workerId);
  const stage = stageReliability(ofStage, facts, policy.trustPrior);
  return {
    prior: {
      frequencies: frequenciesOf(ofStage, facts),
      ...(schema && formRules(schema)),
      sharedError: sharedErrorOf(ofStage, facts),
    },
    workers: new Map(workerIds.map((id) => [id, stage.of(own.get(id) ?? [])])),
  };
}

const scoredCheck = sql`c.worker_id as "workerId", c.gold_id as "goldId", b.kind, c.score,
  g.mask is not null as "isPresent", a.mask is not null as "isDrawn"`;

async function checksOfStage(tx: Db, stageId: string): Promise<ScoredCheck[]> {
  const found = await tx.execute<ScoredCheck>(sql`
    select ${scoredCheck}
    from (
      select b.id, b.kind from ${batches} b
      where b.project_id = (select s.project_id from ${stages} s where s.id = ${stageId}) and b.stage_id = ${stageId}
        and b.state <> 'leased' and b.kind in ('work', 'exam')
      order by b.id desc limit ${BATCHES_OF_STAGE}) b
    join ${leases} l on l.batch_id = b.id
    join ${checks} c on c.lease_id = l.id and c.passed is not null
    join ${gold} g on g.id = c.gold_id
    left join ${answers} a on a.lease_id = l.id
    order by c.id`);
  return found.rows;
}

async function checksOfWorkers(
  tx: Db,
  stageId: string,
  workerIds: readonly string[],
): Promise<ScoredCheck[]> {
  const found = await tx.execute<ScoredCheck>(sql`
    select c.* from unnest(${sql.param(workerIds)}::uuid[]) as w(id)
    cross join lateral (
      select ${scoredCheck} from ${checks} c
      join ${leases} l on l.id = c.lease_id
      join ${batches} b on b.id = l.batch_id and b.stage_id = ${stageId} and b.kind in ('work', 'exam')
      join ${gold} g on g.id = c.gold_id
      left join ${answers} a on a.lease_id = l.id
      where c.worker_id = w.id and c.passed is not null
      order by c.id desc limit ${CHECKS_PER_WORKER}) c`);
  return found.rows;
}

/** The stage with the newest schema of its project. */
async function stageOf(tx: Db, stageId: string) {
  const found = await tx.execute<{ kind: StageKind; schema: DatasetSchema | null }>(sql`
    select s.kind, (
      select v.document from ${schemaVersions} v where v.project_id = s.project_id
      order by v.number desc limit 1) as schema
    from ${stages} s where s.id = ${stageId}`);
  const [stage] = found.rows;
  if (!stage) throw new Error('The stage of an item exists.');
  return stage;
}
