import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { asDate } from './as-date';

const { batches, checks, exams, leases, users } = tables;

export interface ExamAttempt {
  id: string;
  stageId: string;
  workerId: string;
  name: string;
  attempt: number;
  precision: number | null;
  recall: number | null;
  /** Share of the options of all forms that are as in the gold; null for masks. */
  accuracy: number | null;
  meanIou: number | null;
  passed: boolean;
  finishedAt: Date;
}

type Raw = Omit<ExamAttempt, 'finishedAt' | 'accuracy'> & {
  finishedAt: string;
  wrong: number | null;
  forms: number;
};

/** Every finished exam of a project, or of one worker in it, oldest first. */
export async function examAttempts(
  db: Db,
  projectId: string,
  { options, workerId }: { options: number; workerId?: string },
): Promise<ExamAttempt[]> {
  const ofWorker = workerId ? sql`and e.worker_id = ${workerId}` : sql``;
  const result = await db.execute<Raw>(sql`
    select e.id, e.stage_id as "stageId", e.worker_id as "workerId", u.name, e.attempt, e.precision, e.recall,
      e.mean_iou as "meanIou", e.passed, e.finished_at as "finishedAt", scored.wrong, scored.forms
    from ${exams} e join ${users} u on u.id = e.worker_id join ${batches} b on b.id = e.batch_id
    cross join lateral (
      select count(*)::int as forms,
        sum((c.score->>'falsePositives')::int + (c.score->>'falseNegatives')::int)::int as wrong
      from ${leases} l join ${checks} c on c.lease_id = l.id
      where l.batch_id = b.id and c.passed is not null) scored
    where e.project_id = ${projectId} and e.passed is not null ${ofWorker}
    order by e.finished_at, e.id`);
  return result.rows.map(({ wrong, forms, ...row }) => ({
    ...row,
    accuracy: wrong === null || options === 0 ? null : 1 - wrong / (forms * options),
    finishedAt: asDate(row.finishedAt) as Date,
  }));
}
