import type { Metadata } from 'next';
import Link from 'next/link';
import { z } from 'zod';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, idAfter, readTableState } from '@/app/_ui/table';
import { Tabs } from '@/app/_ui/tabs';
import { database } from '@/db';
import { formatDateTime, formatDuration, formatNumber } from '@/lib/core/format';
import { requireActor } from '@/lib/services/access/page';
import { listJobs } from '@/lib/services/jobs';
import { JobActions, LiveRefresh } from './job-actions';

export const metadata: Metadata = { title: 'Jobs' };

type Row = Awaited<ReturnType<typeof listJobs>>['jobs'][number];

const views = {
  all: { label: 'All', states: undefined },
  active: { label: 'Active', states: ['queued', 'running', 'retrying'] },
  failed: { label: 'Failed', states: ['failed'] },
} as const;

const View = z.enum(['all', 'active', 'failed']).catch('all');

const seconds = (row: Row) =>
  row.startedAt ? ((row.finishedAt ?? row.updatedAt).getTime() - row.startedAt.getTime()) / 1000 : null;

const columns: Column<Row>[] = [
  {
    key: 'title',
    title: 'Job',
    fixed: true,
    cell: (row) => (
      <Link href={`/jobs/${row.id}`} className="font-medium hover:text-accent">
        {row.title}
      </Link>
    ),
  },
  { key: 'state', title: 'State', cell: (row) => <State state={row.state} /> },
  {
    key: 'progress',
    title: 'Progress',
    className: 'w-56',
    cell: (row) =>
      row.finishedAt ? (
        <span className="block max-w-56 truncate text-ink-2" title={row.error ?? row.text}>
          {row.error ?? row.text}
        </span>
      ) : (
        <ProgressBar label={`Progress of ${row.title}`} done={row.done} total={row.total} />
      ),
  },
  {
    key: 'done',
    title: 'Done',
    numeric: true,
    cell: (row) => (row.total === null ? '–' : `${formatNumber(row.done)} / ${formatNumber(row.total)}`),
  },
  { key: 'time', title: 'Time', numeric: true, cell: (row) => formatDuration(seconds(row)) },
  { key: 'project', title: 'Project', cell: (row) => row.projectName ?? '–' },
  { key: 'by', title: 'Started by', cell: (row) => row.startedByName ?? 'the system' },
  { key: 'created', title: 'Created, UTC', numeric: true, cell: (row) => formatDateTime(row.createdAt) },
  { key: 'kind', title: 'Kind', hidden: true, cell: (row) => row.kind },
  { key: 'attempt', title: 'Attempt', hidden: true, numeric: true, cell: (row) => row.attempt },
  {
    key: 'actions',
    title: 'Actions',
    untitled: true,
    fixed: true,
    cell: (row) => (
      <JobActions
        id={row.id}
        kind={row.kind}
        title={row.title}
        state={row.state}
        stopping={row.cancelRequested}
      />
    ),
  },
];

const empty = {
  all: 'Long work, such as adding images, runs as a job. Jobs that you start appear here.',
  active: 'No job is waiting or running now.',
  failed: 'Jobs that were tried several times and still failed would appear here, with a way to try again.',
};

export default async function Jobs({ searchParams }: PageProps<'/jobs'>) {
  const actor = await requireActor();
  const query = await searchParams;
  const view = View.parse(query.view);
  const state = readTableState(query, columns);
  const { jobs, next } = await listJobs(database(), actor, {
    states: views[view].states,
    after: idAfter(state),
    limit: 100,
  });
  const address = (key: string) => (key === 'all' ? '/jobs' : `/jobs?view=${key}`);
  return (
    <Page>
      <LiveRefresh />
      <PageHeader title="Jobs" />
      <Tabs
        label="Which jobs"
        current={address(view)}
        tabs={Object.entries(views).map(([key, { label }]) => ({ label, href: address(key) }))}
      />
      <DataTable
        caption="Jobs"
        columns={columns}
        rows={jobs}
        rowKey={(row) => row.id}
        state={state}
        path="/jobs"
        query={query}
        pager={{ next }}
        empty={<EmptyState title="No jobs here">{empty[view]}</EmptyState>}
      />
    </Page>
  );
}
