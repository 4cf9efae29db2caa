import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { State } from '@/app/_ui/state';
import { DataTable } from '@/app/_ui/table/data-table';
import type { Column } from '@/app/_ui/table/table';
import { idAfter, readTableState } from '@/app/_ui/table/table-state';
import { database } from '@/db';
import { formatDate, formatNumber, formatPercent } from '@/lib/core/format';
import { requireActor } from '@/lib/services/access/page';
import { listProjects } from '@/lib/services/projects';

export const metadata: Metadata = { title: 'Projects' };

const PAGE = 50;

type Row = Awaited<ReturnType<typeof listProjects>>[number];

const share = ({ counts }: Row) => {
  const total = counts.items.open + counts.items.settled;
  return total === 0 ? null : counts.items.settled / total;
};

const columns: Column<Row>[] = [
  {
    key: 'name',
    title: 'Project',
    fixed: true,
    cell: (row) => (
      <Link href={`/projects/${row.slug}`} className="font-medium hover:text-accent">
        {row.name}
      </Link>
    ),
  },
  { key: 'state', title: 'State', cell: (row) => <State state={row.state} /> },
  { key: 'images', title: 'Images', numeric: true, cell: (row) => formatNumber(row.counts.images) },
  {
    key: 'settled',
    title: 'Items settled',
    numeric: true,
    cell: (row) => formatNumber(row.counts.items.settled),
  },
  { key: 'open', title: 'Items open', numeric: true, cell: (row) => formatNumber(row.counts.items.open) },
  {
    key: 'progress',
    title: 'Progress',
    className: 'w-48',
    cell: (row) => (
      <span className="flex items-center gap-2">
        <ProgressBar
          label={`Progress of ${row.name}`}
          done={row.counts.items.settled}
          total={row.counts.items.open + row.counts.items.settled}
        />
        <span className="w-14 text-right text-xs text-ink-2">{formatPercent(share(row), 0)}</span>
      </span>
    ),
  },
  { key: 'workers', title: 'Workers', numeric: true, cell: (row) => formatNumber(row.counts.people.worker) },
  {
    key: 'failed',
    title: 'Failed jobs',
    numeric: true,
    cell: (row) =>
      row.counts.jobs.failed ? <State state="failed">{formatNumber(row.counts.jobs.failed)}</State> : '0',
  },
  { key: 'created', title: 'Created', hidden: true, cell: (row) => formatDate(row.createdAt) },
];

export default async function Projects({ searchParams }: PageProps<'/projects'>) {
  const actor = await requireActor();
  const query = await searchParams;
  const state = readTableState(query, columns);
  const rows = await listProjects(database(), actor, { limit: PAGE + 1, before: idAfter(state) });
  const shown = rows.slice(0, PAGE);
  const create = (
    <ButtonLink href="/projects/new" variant="primary" icon={<Plus aria-hidden />}>
      New project
    </ButtonLink>
  );
  return (
    <Page>
      <PageHeader title="Projects" action={create} />
      <DataTable
        caption="Projects"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        state={state}
        path="/projects"
        query={query}
        pager={{ next: rows.length > PAGE ? shown.at(-1)?.id : null }}
        empty={
          <EmptyState title="No projects yet" action={create}>
            A project contains images, a schema that defines the labels, and a policy for workers. Create one,
            or ask a curator to add you to an existing project.
          </EmptyState>
        }
      />
    </Page>
  );
}
