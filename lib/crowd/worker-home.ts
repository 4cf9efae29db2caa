import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { answers, batches, checks, exams, items, ledger, memberships, projects, stages } = tables;

export type WorkerStage = {
  project_id: string;
  project: string;
  slug: string;
  stage_id: string;
  stage: string;
  kind: string;
  exam_passed: boolean | null;
  answers: number;
  waiting: number;
  open_batch: string | null;
};

/** What can I do now? One row per stage of every project the worker belongs to. */
export async function workerStages(db: Db, workerId: string): Promise<WorkerStage[]> {
  const result = await db.execute<WorkerStage>(sql`
    select p.id as project_id, p.name as project, p.slug, s.id as stage_id, s.name as stage, s.kind,
      (select bool_or(e.passed) from ${exams} e where e.stage_id = s.id and e.worker_id = ${workerId}) as exam_passed,
      (select count(*)::int from ${answers} a join ${items} i on i.id = a.item_id
        where i.stage_id = s.id and a.worker_id = ${workerId}) as answers,
      (select count(*)::int from (select 1 from ${items} i where i.stage_id = s.id and i.state = 'open'
        and i.leased + i.answered < i.overlap limit 1000) few) as waiting,
      (select b.id from ${batches} b
        where b.stage_id = s.id and b.worker_id = ${workerId} and b.state = 'leased') as open_batch
    from ${memberships} m
    join ${projects} p on p.id = m.project_id and p.state = 'collecting'
    join ${stages} s on s.project_id = p.id and s.state = 'open'
    where m.user_id = ${workerId} and m.role = 'worker'
    order by p.name, s.position`);
  return result.rows;
}

export type WorkerMoney = { currency: string; earned: string; paid: string };

/** What did I earn? Sums of the ledger, in millionths of each currency. */
export async function workerMoney(db: Db, workerId: string): Promise<WorkerMoney[]> {
  const result = await db.execute<WorkerMoney>(sql`
    select currency,
      coalesce(sum(amount_micro) filter (where kind <> 'payment'), 0)::text as earned,
      coalesce(-sum(amount_micro) filter (where kind = 'payment'), 0)::text as paid
    from ${ledger} where worker_id = ${workerId} group by currency order by currency`);
  return result.rows;
}

export type WorkerScore = { n: number; passed: number };

/** How am I doing? Only the total: which items were checks is never told. */
export async function workerScore(db: Db, workerId: string): Promise<WorkerScore> {
  const result = await db.execute<WorkerScore>(sql`
    select count(*)::int as n, (count(*) filter (where passed))::int as passed
    from ${checks} where worker_id = ${workerId} and passed is not null`);
  return result.rows[0] ?? { n: 0, passed: 0 };
}

export type WorkerBatch = {
  id: string;
  project: string;
  stage: string;
  kind: string;
  items: number;
  submitted_at: Date;
  active_ms: string;
  amount_micro: string | null;
  currency: string | null;
};

export async function recentBatches(db: Db, workerId: string, limit = 20): Promise<WorkerBatch[]> {
  const result = await db.execute<WorkerBatch>(sql`
    select b.id, p.name as project, s.name as stage, b.kind, b.submitted_at,
      count(a.id)::int as items, coalesce(sum(a.active_ms), 0)::text as active_ms,
      max(l.amount_micro)::text as amount_micro, max(l.currency) as currency
    from ${batches} b
    join ${projects} p on p.id = b.project_id
    join ${stages} s on s.id = b.stage_id
    left join ${tables.leases} le on le.batch_id = b.id
    left join ${answers} a on a.lease_id = le.id
    left join ${ledger} l on l.source_id = b.id and l.kind in ('batch', 'exam')
    where b.worker_id = ${workerId} and b.state = 'submitted'
    group by b.id, p.name, s.name
    order by b.id desc limit ${limit}`);
  return result.rows;
}
