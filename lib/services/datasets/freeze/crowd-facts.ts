import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { CrowdFacts } from '@/lib/core/croissant';
import { payFactsOf } from '@/lib/services/crowd/pay';

const { answers, checks, exams, gold, items } = tables;

type Totals = { people: number; answers: number; from: string | null; to: string | null };
type Scores = { taken: number; examsPassed: number; scored: number; passed: number };

/** Measures how the crowd of a project worked, without naming anybody. Null if nobody has answered. */
export async function crowdFactsOf(db: Db, projectId: string): Promise<CrowdFacts | null> {
  const totals = await db.execute<Totals>(sql`
    select count(distinct a.worker_id)::int as people, count(*)::int as answers,
      to_char(min(a.created_at) at time zone 'UTC', 'YYYY-MM-DD') as "from",
      to_char(max(a.created_at) at time zone 'UTC', 'YYYY-MM-DD') as "to"
    from ${answers} a join ${items} i on i.id = a.item_id where i.project_id = ${projectId}`);
  const [work] = totals.rows;
  if (!work?.from || !work.to) return null;
  const scores = await db.execute<Scores>(sql`
    select
      (select count(*)::int from ${exams} where project_id = ${projectId} and passed is not null) as taken,
      (select count(*)::int from ${exams} where project_id = ${projectId} and passed) as "examsPassed",
      count(c.passed)::int as scored, (count(*) filter (where c.passed))::int as passed
    from ${checks} c join ${gold} g on g.id = c.gold_id where g.project_id = ${projectId}`);
  const { taken = 0, examsPassed = 0, scored = 0, passed = 0 } = scores.rows[0] ?? {};
  const tools = await db.execute<{ tool: string; n: number }>(sql`
    select coalesce(u.value->>'model', u.value->>'kind') as tool, count(distinct a.id)::int as n
    from ${answers} a join ${items} i on i.id = a.item_id
      cross join lateral jsonb_array_elements(a.value->'assists') as u(value)
    where i.project_id = ${projectId} and jsonb_typeof(a.value->'assists') = 'array'
    group by 1 order by 1`);
  return {
    people: work.people,
    answers: work.answers,
    from: work.from,
    to: work.to,
    exams: { taken, passed: examsPassed },
    checks: { scored, passed },
    pay: await payFactsOf(db, projectId),
    assists: Object.fromEntries(tools.rows.map(({ tool, n }) => [tool, n])),
  };
}
