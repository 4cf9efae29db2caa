import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { mostQuestions } from '@/lib/core/robustness/fmr/bisect';

const { answers, items, oracleChains, oracleQuestions } = tables;

export interface CrowdProgress {
  images: number;
  /** Asked so far, of these open, and as many as there can be in all. */
  questions: number;
  open: number;
  most: number;
  /** Answers that came in, and people who gave them. */
  answers: number;
  people: number;
}

type Row = Omit<CrowdProgress, 'most'> & { lengths: number[] };

/** How far people have come with the questions of an evaluation. One statement. */
export async function crowdProgress(db: Db, evaluationId: string): Promise<CrowdProgress> {
  const found = await db.execute<Row>(sql`
    with asked as (
      select i.id, i.state from ${oracleQuestions} q join ${items} i on i.id = q.item_id
      where q.evaluation_id = ${evaluationId}),
    given as (
      select a.worker_id from ${answers} a where a.item_id in (select id from asked))
    select (select count(*)::int from ${oracleChains} c where c.evaluation_id = ${evaluationId}) as images,
      array(select c.length from ${oracleChains} c where c.evaluation_id = ${evaluationId}) as lengths,
      (select count(*)::int from asked) as questions,
      (select count(*)::int from asked where state = 'open') as open,
      (select count(*)::int from given) as answers,
      (select count(distinct worker_id)::int from given) as people`);
  const [row] = found.rows;
  if (!row) throw new Error('Counts have a row.');
  const { lengths, ...rest } = row;
  return { ...rest, most: lengths.reduce((sum, length) => sum + 1 + mostQuestions(length), 0) };
}
