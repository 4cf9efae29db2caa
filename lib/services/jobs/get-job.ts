import { and, asc, eq, gt } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { Actor } from '@/lib/services/access';
import { type JobView, selectJobs } from './job-view';
import { authoriseJob } from './visible-jobs';

const { jobs, jobLogs } = tables;

export type JobLog = Omit<typeof jobLogs.$inferSelect, 'jobId'>;

export interface JobWithLogs {
  job: JobView;
  logs: JobLog[];
  /** Pass it as `logsAfter` for the lines that follow; null when there were no more. */
  next: number | null;
}

export async function getJob(
  db: Db,
  actor: Actor,
  input: { jobId: string; logsAfter?: number; limit?: number },
): Promise<JobWithLogs> {
  await authoriseJob(db, actor, 'jobs.read', input.jobId);
  const limit = input.limit ?? 200;
  const [job] = await selectJobs(db, eq(jobs.id, input.jobId), 1);
  if (!job) throw notFound('job');
  const rows = await db
    .select({ seq: jobLogs.seq, level: jobLogs.level, text: jobLogs.text, createdAt: jobLogs.createdAt })
    .from(jobLogs)
    .where(and(eq(jobLogs.jobId, input.jobId), gt(jobLogs.seq, input.logsAfter ?? 0)))
    .orderBy(asc(jobLogs.seq))
    .limit(limit + 1);
  const logs = rows.slice(0, limit);
  return { job, logs, next: rows.length > limit ? (logs.at(-1)?.seq ?? null) : null };
}
