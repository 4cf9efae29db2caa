import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { countByClass } from '@/lib/images/count-by-class';
import { type Share, wilson } from '@/lib/quality/interval';

const { answers, batches, checks, gold, items, labels, leases, ledger, stages, users } = tables;

export type StageProgress = {
  id: string;
  name: string;
  kind: string;
  state: string;
  total: number;
  settled: number;
  answered: number;
  leased: number;
  median_seconds: number | null;
};

/** Is it going well? Everything the overview shows, in a fixed number of statements. */
export async function projectOverview(db: Db, projectId: string) {
  const [classes, stageRows, days, quality, cost, labelled] = await Promise.all([
    countByClass(db, projectId),
    stageProgress(db, projectId),
    answersPerDay(db, projectId),
    checkQuality(db, projectId),
    paidSoFar(db, projectId),
    countLabels(db, projectId),
  ]);
  return {
    classes,
    imageCount: classes.reduce((sum, row) => sum + row.count, 0),
    stages: stageRows,
    days,
    quality,
    cost,
    labelCount: labelled,
  };
}

async function stageProgress(db: Db, projectId: string): Promise<StageProgress[]> {
  const result = await db.execute<StageProgress>(sql`
    select s.id, s.name, s.kind, s.state,
      count(i.id)::int as total,
      (count(i.id) filter (where i.state = 'settled'))::int as settled,
      coalesce(sum(i.answered), 0)::int as answered,
      coalesce(sum(i.leased), 0)::int as leased,
      (select percentile_cont(0.5) within group (order by a.active_ms) / 1000
         from ${answers} a join ${items} ai on ai.id = a.item_id where ai.stage_id = s.id) as median_seconds
    from ${stages} s left join ${items} i on i.stage_id = s.id
    where s.project_id = ${projectId}
    group by s.id order by s.position`);
  return result.rows;
}

async function answersPerDay(db: Db, projectId: string) {
  const result = await db.execute<{ day: string; count: number }>(sql`
    select to_char(date_trunc('day', a.created_at), 'YYYY-MM-DD') as day, count(*)::int as count
    from ${answers} a join ${items} i on i.id = a.item_id
    where i.project_id = ${projectId} and a.created_at > now() - interval '30 days'
    group by 1 order by 1`);
  return result.rows;
}

/** Share of hidden checks passed, which estimates the quality of all the work between them. */
async function checkQuality(db: Db, projectId: string): Promise<Share | null> {
  const [row] = await db
    .select({
      n: sql<number>`count(*)::int`,
      passed: sql<number>`(count(*) filter (where ${checks.passed}))::int`,
    })
    .from(checks)
    .innerJoin(gold, eq(gold.id, checks.goldId))
    .where(sql`${gold.projectId} = ${projectId} and ${checks.passed} is not null`);
  return row ? wilson(row.passed, row.n) : null;
}

async function paidSoFar(db: Db, projectId: string) {
  return db
    .select({ currency: ledger.currency, amountMicro: sql<string>`sum(${ledger.amountMicro})::text` })
    .from(ledger)
    .where(sql`${ledger.projectId} = ${projectId} and ${ledger.kind} <> 'payment'`)
    .groupBy(ledger.currency);
}

async function countLabels(db: Db, projectId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(labels)
    .where(sql`${labels.projectId} = ${projectId} and ${labels.isCurrent}`);
  return row?.count ?? 0;
}

export type WorkerSummary = {
  id: string;
  name: string;
  answers: number;
  active_minutes: number;
  checks: number;
  passed: number;
  earned_micro: string;
  last_at: Date | null;
};

/** The people at work in a project, busiest first. One statement, however many they are. */
export async function workerSummaries(db: Db, projectId: string, limit = 100): Promise<WorkerSummary[]> {
  const result = await db.execute<WorkerSummary>(sql`
    with done as (
      select a.worker_id, count(*)::int as answers, sum(a.active_ms) / 60000.0 as active_minutes,
             max(a.created_at) as last_at
      from ${answers} a join ${items} i on i.id = a.item_id
      where i.project_id = ${projectId} group by a.worker_id),
    tested as (
      select c.worker_id, count(*)::int as checks, (count(*) filter (where c.passed))::int as passed
      from ${checks} c join ${gold} g on g.id = c.gold_id
      where g.project_id = ${projectId} and c.passed is not null group by c.worker_id),
    earned as (
      select worker_id, sum(amount_micro)::text as earned_micro from ${ledger}
      where project_id = ${projectId} and kind <> 'payment' group by worker_id)
    select u.id, u.name, coalesce(d.answers, 0) as answers, coalesce(d.active_minutes, 0)::float as active_minutes,
           coalesce(t.checks, 0) as checks, coalesce(t.passed, 0) as passed,
           coalesce(e.earned_micro, '0') as earned_micro, d.last_at
    from ${tables.memberships} m join ${users} u on u.id = m.user_id
    left join done d on d.worker_id = u.id
    left join tested t on t.worker_id = u.id
    left join earned e on e.worker_id = u.id
    where m.project_id = ${projectId} and m.role = 'worker'
    order by 3 desc, u.name limit ${limit}`);
  return result.rows;
}

/** Batches that are out now, with their age: what a curator looks at when nothing moves. */
export async function openBatches(db: Db, projectId: string) {
  return db
    .select({
      id: batches.id,
      worker: users.name,
      leasedUntil: batches.leasedUntil,
      items: sql<number>`(select count(*)::int from ${leases} where ${leases.batchId} = ${batches.id})`,
    })
    .from(batches)
    .innerJoin(users, eq(users.id, batches.workerId))
    .where(sql`${batches.projectId} = ${projectId} and ${batches.state} = 'leased'`)
    .orderBy(batches.leasedUntil)
    .limit(50);
}
