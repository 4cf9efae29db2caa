import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { hourlyRate } from '@/lib/core/i18n/worker-format';
import type { Policy } from '@/lib/core/quality/policy';
import { examSettings } from '../exams/exam-settings';
import { REFRESHER_IMAGES } from '../gold/assign-pool';
import { drawsMasks, payFor } from '../work/pay-for';

const { answers, batches, leases } = tables;

/** Answers below which a median says little. */
const MIN_ANSWERS = 5;
/** Batches that show how long one takes now. */
const NEWEST_BATCHES = 20;

/** Whose times the duration comes from; `plan`: nobody's yet, so it follows from the promised hourly rate. */
export const durationSources = ['own', 'others', 'plan'] as const;
export type DurationSource = (typeof durationSources)[number];

/** What a worker gets and how long it takes, shown before they start. */
export interface Terms {
  items: number;
  payMicro: bigint;
  currency: string;
  /** Null where the pay promises no hourly rate and nobody has worked yet. */
  durationMs: number | null;
  source: DurationSource;
  hourlyMicro: bigint | null;
}

export interface StageTerms {
  work: Terms;
  /** Null in a stage without an exam. */
  exam: Terms | null;
  /** Paid by the item, like work. */
  refresher: Terms;
}

export interface PricedStage {
  id: string;
  projectId: string;
  kind: StageKind;
  policy: Policy;
}

type Row = {
  stageId: string;
  own: number | null;
  ownN: number;
  others: number | null;
  othersN: number;
  exam: number | null;
  examN: number;
};

/** Price, duration and hourly rate of the next batch and of the exam, by stage. Without a worker: for newcomers. */
export async function termsOf(
  db: Db,
  workerId: string | null,
  stages: readonly PricedStage[],
): Promise<Map<string, StageTerms>> {
  const ids = stages.map(({ id }) => id);
  const projectIds = stages.map(({ projectId }) => projectId);
  const found = await db.execute<Row>(sql`
    select s.id as "stageId",
      own.median as own, own.n as "ownN", others.median as others, others.n as "othersN",
      exam.median as exam, exam.n as "examN"
    from unnest(${sql.param(ids)}::uuid[], ${sql.param(projectIds)}::uuid[]) as s(id, project_id)
    cross join lateral (${medianOf(sql`worker_id = ${workerId} and kind = 'work'`)}) own
    cross join lateral (${medianOf(sql`kind = 'work'`)}) others
    cross join lateral (${medianOf(sql`kind = 'exam'`)}) exam`);
  const times = new Map(found.rows.map((row) => [row.stageId, row]));
  return new Map(stages.map((stage) => [stage.id, stageTerms(stage, times.get(stage.id))]));
}

/** The median active time per item. One long break does not move it. */
const medianOf = (which: ReturnType<typeof sql>) => sql`
  select count(*)::int as n, percentile_cont(0.5) within group (order by a.active_ms)::float as median
  from (select id from ${batches} where project_id = s.project_id and stage_id = s.id and state = 'submitted' and ${which}
    order by id desc limit ${NEWEST_BATCHES}) b
  join ${leases} l on l.batch_id = b.id
  join ${answers} a on a.lease_id = l.id`;

function stageTerms({ kind, policy }: PricedStage, row: Row | undefined): StageTerms {
  const { pay, batchSize } = policy;
  const draws = drawsMasks(kind);
  const exam = examSettings(policy, kind);
  const items = draws ? batchSize.masks : batchSize.attributes;
  const own = enough(row?.own, row?.ownN);
  const others = enough(row?.others, row?.othersN);
  const target = BigInt(pay.hourlyTarget);
  const from = (micro: bigint, count: number, perItem: number | null, source: DurationSource): Terms => {
    const planned = target > 0n ? Number((micro * 3_600_000n) / target) : null;
    const durationMs = perItem === null ? planned : perItem * count;
    return {
      items: count,
      payMicro: micro,
      currency: pay.currency,
      durationMs,
      source: perItem === null ? 'plan' : source,
      hourlyMicro: durationMs === null ? null : hourlyRate(micro, durationMs),
    };
  };
  const price = draws ? BigInt(pay.mask) * BigInt(items) : BigInt(pay.attributeBatch);
  const refresherPrice = payFor(
    { pay, batchSize, paysPractice: true },
    { stageKind: kind, kind: 'practice', answered: REFRESHER_IMAGES, size: REFRESHER_IMAGES },
  );
  const ownSource = own === null ? 'others' : 'own';
  const examPrice = BigInt(draws ? pay.maskExam : pay.attributeExam);
  return {
    work: from(price, items, own ?? others, ownSource),
    exam: exam?.isRequired
      ? from(examPrice, exam.size, enough(row?.exam, row?.examN) ?? others, 'others')
      : null,
    refresher: from(refresherPrice, REFRESHER_IMAGES, own ?? others, ownSource),
  };
}

const enough = (median: number | null | undefined, n = 0): number | null =>
  n >= MIN_ANSWERS && median ? median : null;
