import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { requireScope, type UserActor } from '@/lib/services/access';
import { examMistakes } from './exams';
import { payReviewOf } from './pay/pay-reviews';
import { effectivePolicy } from './work/effective-policy';
import { canPractiseHint, type Gate, gateTo } from './work/gate';
import type { Reason } from './work/list-work';
import { workerFacts } from './work/worker-facts';
import { batchEstimate, measuresOf, stageScore, termsOf } from './worker';

const { answers, batches, exams, leases, ledger, memberships, projects, stages } = tables;

type Row = {
  kind: 'work' | 'exam' | 'practice';
  state: 'leased' | 'submitted' | 'expired' | 'returned';
  project_id: string;
  project: string;
  slug: string;
  project_policy: Record<string, unknown>;
  stage_id: string;
  stage: string;
  stage_kind: StageKind;
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
 * What a worker learns when a batch is over. The score is a coarse band over the whole stage, never of one batch, and
 * null while there are few checks.
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
  const next = await nextStep(db, who, policy);
  const terms = (await termsOf(db, actor.userId, [{ ...stage, policy }])).get(row.stage_id);
  return {
    kind: row.kind,
    state: row.state,
    project: { id: row.project_id, name: row.project, slug: row.slug },
    stage: { id: row.stage_id, name: row.stage, kind: row.stage_kind },
    leased: row.leased,
    answered: row.answered,
    activeMs,
    pay,
    /** Why the pay is in review, or the outcome of the review; null if it was paid automatically. */
    review: await payReviewOf(db, { workerId: actor.userId, batchId: input.batchId }),
    hourlyMicro: pay && hourly(pay.amountMicro, activeMs),
    hourlyTarget: { amountMicro: BigInt(policy.pay.hourlyTarget), currency: policy.pay.currency },
    /** Of the whole stage; null while there are too few checks to tell. */
    score: await stageScore(db, who, row.stage_kind, policy),
    ...next,
    /** How long the next batch will take, in milliseconds; null while nobody knows. */
    nextBatchMs: await batchEstimate(db, stage, actor.userId, policy),
    /** Price, duration and hourly rate of what the worker can start next. */
    terms: (next.gate?.gate === 'refresher' ? terms?.refresher : terms?.work) ?? null,
    exam: row.exam && {
      passed: row.exam.passed,
      mistakes:
        row.exam.passed === false
          ? await examMistakes(db, {
              batchId: input.batchId,
              workerId: actor.userId,
              stageKind: row.stage_kind,
            })
          : [],
      measures: measuresOf(row.stage_kind, policy, row.exam),
    },
  };
}

/** The gate before the next batch, and the newest hint for the worker. */
async function nextStep(
  db: Db,
  { workerId, stageId }: { workerId: string; stageId: string },
  policy: Policy,
): Promise<{
  gate: Gate | null;
  reason: Reason | null;
  hint: string | null;
  hintRule: string | null;
  canPractiseHint: boolean;
  decisionId: string | null;
}> {
  const [facts] = await workerFacts(db, workerId, sql`s.id = ${stageId}`);
  if (!facts) throw notFound('stage');
  const isStopped = facts.standing === 'paused' || facts.standing === 'ended';
  const gate = gateTo('work', facts, policy, new Date());
  return {
    gate,
    reason: facts.reason === null ? null : { text: facts.reason, rule: facts.reasonRule },
    hint: facts.hint,
    hintRule: facts.hintRule,
    canPractiseHint: gate === null && canPractiseHint(facts, policy),
    /** The decision that an appeal can be made against. */
    decisionId: isStopped ? facts.decisionId : null,
  };
}

export type BatchSummary = Awaited<ReturnType<typeof batchSummary>>;

/** The batch of another worker does not exist. */
async function findOwn(db: Db, actor: UserActor, batchId: string): Promise<Row> {
  requireScope(actor, 'work.read');
  const result = await db.execute<Row>(sql`
    select b.kind, b.state, b.project_id, p.name as project, p.slug,
      p.policy as project_policy, s.id as stage_id, s.name as stage, s.kind as stage_kind, s.policy as stage_policy,
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
