import Link from 'next/link';
import type { ReactNode } from 'react';
import { FormError } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import type { Job } from '@/lib/services/jobs';
import { JobProgress } from './job-progress';
import { RefreshWhile } from './refresh-while';

export const isActiveJob = ({ finishedAt }: Pick<Job, 'finishedAt'>): boolean => finishedAt === null;

/** What the browser is told about a job: dates as text. */
export const toProgress = ({ id, title, state, done, total, text, startedAt, cancelRequested }: Job) => ({
  id,
  title,
  state,
  done,
  total,
  text,
  startedAt: startedAt?.toISOString() ?? null,
  cancelRequested,
});

interface Props {
  job: Job;
  /** What to do when it failed or was cancelled. */
  fallback: ReactNode;
}

/** Shows a job that the page waits for, and polls it until it ends. */
export function JobPanel({ job, fallback }: Props) {
  return (
    <Panel>
      <div className="flex flex-col gap-3">
        <RefreshWhile active={isActiveJob(job)} />
        <JobProgress {...toProgress(job)} />
        {job.state === 'failed' && <FormError>{job.error}</FormError>}
        {!isActiveJob(job) && job.state !== 'done' && (
          <div className="flex items-center gap-3">
            {fallback}
            <Link href={`/jobs/${job.id}`} className="text-xs text-ink-3 underline underline-offset-2">
              Log of the job
            </Link>
          </div>
        )}
      </div>
    </Panel>
  );
}
