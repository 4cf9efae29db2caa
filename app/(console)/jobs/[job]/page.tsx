import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { ErrorState } from '@/app/_ui/error-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { looksLikeId } from '@/lib/services/access';
import { requireActor } from '@/lib/services/access/page';
import { getJob } from '@/lib/services/jobs';
import { JobActions, LiveRefresh } from '../job-actions';

type Props = PageProps<'/jobs/[job]'>;

const pageJob = cache(async (jobId: string) => {
  const actor = await requireActor();
  if (!looksLikeId(jobId)) notFound();
  return getJob(database(), actor, { jobId, limit: 1000 }).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await pageJob((await params).job)).job.title };
}

export default async function JobPage({ params }: Props) {
  const { job, logs, next } = await pageJob((await params).job);
  return (
    <Page>
      <LiveRefresh />
      <PageHeader
        title={job.title}
        facts={<State state={job.state} />}
        action={
          <JobActions
            id={job.id}
            kind={job.kind}
            title={job.title}
            state={job.state}
            stopping={job.cancelRequested}
          />
        }
      />
      {job.error && (
        <Panel>
          <ErrorState title="The job failed" className="p-0 sm:px-0">
            {job.error}
          </ErrorState>
        </Panel>
      )}
      {!job.finishedAt && <ProgressBar label={job.title} done={job.done} total={job.total} />}
      <Panel title="Facts">
        <DefinitionList
          items={[
            { term: 'Kind', value: job.kind },
            { term: 'Project', value: job.projectName ?? '–' },
            { term: 'Started by', value: job.startedByName ?? 'the system' },
            {
              term: 'Done',
              value: job.total === null ? '–' : `${formatNumber(job.done)} of ${formatNumber(job.total)}`,
            },
            { term: 'Attempt', value: String(job.attempt) },
            { term: 'Request', value: job.requestId ?? '–' },
            { term: 'Created', value: `${formatDateTime(job.createdAt)} UTC` },
            { term: 'Started', value: `${formatDateTime(job.startedAt)} UTC` },
            { term: 'Finished', value: `${formatDateTime(job.finishedAt)} UTC` },
            ...Object.entries(job.result ?? {}).map(([term, value]) => ({
              term,
              value: typeof value === 'number' ? formatNumber(value) : JSON.stringify(value),
            })),
          ]}
        />
      </Panel>
      <Panel title="Log" description={next === null ? undefined : 'The first 1000 lines'} flush>
        {logs.length === 0 ? (
          <EmptyState title="No log lines">The job has written no log.</EmptyState>
        ) : (
          <ol className="max-h-[60dvh] overflow-auto font-mono text-xs">
            {logs.map((line) => (
              <li key={line.seq} className="flex gap-3 px-4 py-0.5">
                <time className="shrink-0 text-ink-3" dateTime={line.createdAt.toISOString()}>
                  {line.createdAt.toISOString().slice(11, 19)}
                </time>
                <span
                  className={line.level === 'error' ? 'text-bad' : line.level === 'warn' ? 'text-warn' : ''}
                >
                  {line.level === 'info' ? '' : `${line.level}: `}
                  {line.text}
                </span>
              </li>
            ))}
          </ol>
        )}
      </Panel>
    </Page>
  );
}
