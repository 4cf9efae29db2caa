import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { type FairPay, fairPay, type PaidBatch } from '@/lib/core/quality/fair-pay';
import { type Actor, authorise } from '@/lib/services/access';
import { effectivePolicy } from '../work/effective-policy';

const { answers, batches, leases, ledger, projects, stages } = tables;

type Row = {
  stageId: string;
  workerId: string;
  kind: string;
  activeMs: string;
  wallMs: string;
  amountMicro: string;
};

export interface StagePay {
  /** Null for all stages together. */
  stage: { id: string; name: string; kind: StageKind } | null;
  currency: string;
  targetMicro: number;
  pay: FairPay;
}

/** What the work of a project pays by the hour, in all and by stage, exams and bonuses included. */
export async function fairPayOf(db: Db, actor: Actor, projectId: string): Promise<StagePay[]> {
  const { project } = await authorise(db, actor, 'crowd.read', { project: projectId });
  const list = await db
    .select()
    .from(stages)
    .where(sql`${stages.projectId} = ${project.id}`)
    .orderBy(stages.position);
  const rows = await paidBatches(db, project.id);
  const inAll = effectivePolicy(project.policy, {}).pay;
  const bonuses = await bonusesOf(db, project.id);
  const all: StagePay = {
    stage: null,
    currency: inAll.currency,
    targetMicro: inAll.hourlyTarget,
    pay: fairPay(withBonuses(rows.map(asPaid), bonuses), inAll.hourlyTarget),
  };
  const byStage = list.map(({ id, name, kind, policy }) => {
    const { currency, hourlyTarget } = effectivePolicy(project.policy, policy).pay;
    const own = rows.filter((row) => row.stageId === id).map(asPaid);
    return {
      stage: { id, name, kind },
      currency,
      targetMicro: hourlyTarget,
      pay: fairPay(own, hourlyTarget),
    };
  });
  return [all, ...byStage];
}

/** The median hourly pay of a project's workers, for documentation. Null if nobody was paid. */
export async function payFactsOf(db: Db, projectId: string) {
  const [project] = await db
    .select({ policy: projects.policy })
    .from(projects)
    .where(eq(projects.id, projectId));
  const { currency, hourlyTarget } = effectivePolicy(project?.policy ?? {}, {}).pay;
  const rows = await paidBatches(db, projectId);
  const { hourlyMicro } = fairPay(
    withBonuses(rows.map(asPaid), await bonusesOf(db, projectId)),
    hourlyTarget,
  );
  if (!hourlyMicro || hourlyMicro.value === 0) return null;
  const { value, n, interval } = hourlyMicro;
  return {
    currency,
    medianHourlyMicro: Math.round(value),
    workers: n,
    interval: interval && ([Math.round(interval.low), Math.round(interval.high)] as [number, number]),
  };
}

const asPaid = ({ workerId, activeMs, wallMs, amountMicro }: Row): PaidBatch => ({
  workerId,
  activeMs: Number(activeMs),
  wallMs: Number(wallMs),
  amountMicro: BigInt(amountMicro),
});

/** A bonus is pay without time: it goes on top of the worker's first batch. */
function withBonuses(paid: readonly PaidBatch[], bonuses: ReadonlyMap<string, bigint>): PaidBatch[] {
  const left = new Map(bonuses);
  return paid.map((batch) => {
    const bonus = left.get(batch.workerId) ?? 0n;
    left.delete(batch.workerId);
    return { ...batch, amountMicro: batch.amountMicro + bonus };
  });
}

/** Batches with anything answered. Wall time runs from taking a batch to its last answer. */
async function paidBatches(db: Db, projectId: string): Promise<Row[]> {
  const found = await db.execute<Row>(sql`
    select b.stage_id as "stageId", b.worker_id as "workerId", b.kind, sum(a.active_ms)::text as "activeMs",
      round(extract(epoch from max(a.created_at) - b.created_at) * 1000)::text as "wallMs",
      (select coalesce(sum(e.amount_micro), 0) from ${ledger} e
        where (e.kind in ('batch', 'exam') and e.source_id = b.id)
          or (e.kind = 'item' and e.source_id = any (array_agg(a.id))))::text as "amountMicro"
    from ${batches} b
    join ${leases} l on l.batch_id = b.id
    join ${answers} a on a.lease_id = l.id
    where b.project_id = ${projectId} and b.state <> 'leased' and b.kind in ('work', 'exam')
    group by b.id`);
  return found.rows;
}

async function bonusesOf(db: Db, projectId: string): Promise<Map<string, bigint>> {
  const found = await db.execute<{ workerId: string; amount: string }>(sql`
    select worker_id as "workerId", sum(amount_micro)::text as amount from ${ledger}
    where project_id = ${projectId} and kind in ('bonus', 'adjustment') group by worker_id`);
  return new Map(found.rows.map((row) => [row.workerId, BigInt(row.amount)]));
}
