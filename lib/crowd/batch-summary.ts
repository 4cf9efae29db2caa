import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { isOpenIn, type ProjectState, requireScope, type UserActor } from '@/lib/auth';
import { notFound } from '@/lib/errors';
import { effectivePolicy } from './work/effective-policy';
import { batchEstimate, measuresOf, stageScore } from './worker';

const { answers, batches, exams, leases, ledger, memberships, projects, stages } = tables;

type Row = {
  kind: 'work' | 'exam' | 'practice';
  state: 'leased' | 'submitted' | 'expired' | 'returned';
  project_id: string;
  project: string;
  slug: string;
  project_state: ProjectState;
  project_policy: Record<string, unknown>;
  stage_id: string;
  stage: string;
  stage_kind: StageKind;
  stage_state: string;
  stage_policy: Record<string, unknown>;
  leased: number;
  answered: number;
  active_ms: string;
  paid_micro: string | null;
  currency: string | null;
  exam: {
    precision: number | null;
    recall: number | null;
    meanIou: number | null;
    passed: boolean | null;
  } | null;
};

/**
 * What a worker learns when a batch is over. The score is of all hidden checks of the stage so far, never of those
 * of one batch, and null while there are few.
 */
export async function batchSummary(db: Db, actor: UserActor, input: { batchId: string }) {
  const row = await findOwn(db, actor, input.batchId);
  const policy = effectivePolicy(row.project_policy, row.stage_policy);
  const activeMs = Number(row.active_ms);
  const pay =
    row.paid_micro !== null && row.currency
      ? { amountMicro: BigInt(row.paid_micro), currency: row.currency }
      : null;
  const stage = { id: row.stage_id, projectId: row.project_id, kind: row.stage_kind };
  const who = { workerId: actor.userId, stageId: row.stage_id };
  return {
    kind: row.kind,
    state: row.state,
    project: { name: row.project, slug: row.slug },
    stage: { id: row.stage_id, name: row.stage, kind: row.stage_kind },
    leased: row.leased,
    answered: row.answered,
    activeMs,
    pay,
    hourlyMicro: pay && hourly(pay.amountMicro, activeMs),
    hourlyTarget: { amountMicro: BigInt(policy.pay.hourlyTarget), currency: policy.pay.currency },
    /** Of the whole stage; null while there are too few checks to tell. */
    checks: await stageScore(db, who, row.stage_kind, policy),
    /** How long the next batch will take, in milliseconds; null while nobody knows. */
    nextBatchMs: await batchEstimate(db, stage, actor.userId, policy),
    exam: row.exam && {
      passed: row.exam.passed,
      measures: measuresOf(row.stage_kind, policy, row.exam),
    },
    /** Whether asking for another batch makes sense. */
    isOpen: row.stage_state === 'open' && isOpenIn('work.take', row.project_state),
  };
}

export type BatchSummary = Awaited<ReturnType<typeof batchSummary>>;

/** The batch of another worker does not exist. */
async function findOwn(db: Db, actor: UserActor, batchId: string): Promise<Row> {
  requireScope(actor, 'work.read');
  const result = await db.execute<Row>(sql`
    select b.kind, b.state, b.project_id, p.name as project, p.slug, p.state as project_state,
      p.policy as project_policy, s.id as stage_id, s.name as stage, s.kind as stage_kind, s.state as stage_state, s.policy as stage_policy,
      work.leased, work.answered, work.active_ms, paid.paid_micro, paid.currency,
      to_json(exam) as exam
    from ${batches} b
    join ${projects} p on p.id = b.project_id
    join ${stages} s on s.id = b.stage_id
    join ${memberships} m on m.project_id = b.project_id and m.user_id = b.worker_id and m.role = 'worker'
    cross join lateral (
      select count(*)::int as leased, count(a.id)::int as answered,
        coalesce(sum(a.active_ms), 0)::text as active_ms
      from ${leases} l left join ${answers} a on a.lease_id = l.id where l.batch_id = b.id) work
    cross join lateral (
      select sum(amount_micro)::text as paid_micro, max(currency) as currency
      from ${ledger} where kind in ('batch', 'exam', 'item') and source_id in (
        select b.id union all
        select a.id from ${leases} l join ${answers} a on a.lease_id = l.id where l.batch_id = b.id)) paid
    left join lateral (
      select precision, recall, mean_iou as "meanIou", passed from ${exams} where batch_id = b.id) exam on true
    where b.id = ${batchId} and b.worker_id = ${actor.userId}`);
  const [row] = result.rows;
  if (!row) throw notFound('batch');
  return row;
}

/** Millionths per hour of active time; null when no time was measured. */
function hourly(amountMicro: bigint, activeMs: number): bigint | null {
  return activeMs > 0 ? (amountMicro * 3_600_000n) / BigInt(Math.round(activeMs)) : null;
}
