import type { Metadata } from 'next';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { type Column, DataTable, readTableState } from '@/app/_ui/table';
import { database } from '@/db';
import { listAudit } from '@/lib/audit';
import { pageProject } from '@/lib/auth/page';
import { formatDateTime } from '@/lib/format';

export const metadata: Metadata = { title: 'Activity' };

const PAGE = 100;

type Props = PageProps<'/projects/[project]/activity'>;
type Row = Awaited<ReturnType<typeof listAudit>>[number];

const columns: Column<Row>[] = [
  {
    key: 'at',
    title: 'When, UTC',
    fixed: true,
    className: 'w-40',
    cell: (row) => formatDateTime(row.createdAt),
  },
  { key: 'actor', title: 'Who', cell: (row) => row.actor },
  { key: 'verb', title: 'What', cell: (row) => row.verb },
  { key: 'subject', title: 'To what', cell: (row) => row.subject },
  {
    key: 'detail',
    title: 'Detail',
    cell: (row) => (
      <code className="font-mono text-xs break-all text-ink-2">
        {Object.keys(row.detail).length ? JSON.stringify(row.detail) : ''}
      </code>
    ),
  },
  {
    key: 'request',
    title: 'Request',
    hidden: true,
    cell: (row) => <code className="font-mono text-xs">{row.requestId ?? '–'}</code>,
  },
];

/** The audit trail of a project, newest first. */
export default async function Activity({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'activity.read');
  const query = await searchParams;
  const state = readTableState(query, columns);
  const rows = await listAudit(database(), {
    projectId: project.id,
    before: state.after,
    limit: PAGE + 1,
  });
  const shown = rows.slice(0, PAGE);
  return (
    <Page>
      <PageHeader
        title="Activity"
        description="Who did what, and when. Nothing here can be changed or deleted."
      />
      <DataTable
        caption="Activity"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        state={state}
        path={`/projects/${project.slug}/activity`}
        query={query}
        pager={{ next: rows.length > PAGE ? shown.at(-1)?.id : null }}
        empty={
          <EmptyState title="Nothing has happened yet">
            What people change in this project is written down here.
          </EmptyState>
        }
      />
    </Page>
  );
}
