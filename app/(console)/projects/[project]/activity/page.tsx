import type { Metadata } from 'next';
import { ButtonLink, buttonStyle } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { type Column, DataTable, readTableState, tableHref } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime } from '@/lib/core/format';
import { looksLikeId } from '@/lib/services/access';
import { seesPeople } from '@/lib/services/access/authorise';
import { pageProject } from '@/lib/services/access/page';
import { auditWords, listAudit } from '@/lib/services/activity';
import { ActivityFilters } from './activity-filters';
import { readActivityFilter } from './read-activity-filter';

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
  { key: 'actor', title: 'Who', className: 'whitespace-nowrap', cell: (row) => row.actor },
  { key: 'verb', title: 'What', className: 'whitespace-nowrap', cell: (row) => row.verb },
  {
    key: 'subject',
    title: 'To what',
    className: 'whitespace-nowrap',
    cell: (row) => <span title={row.subjectId ?? undefined}>{row.subject}</span>,
  },
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
  const { project, actor } = await pageProject((await params).project, 'activity.read');
  const query = await searchParams;
  const state = readTableState(query, columns);
  const filter = readActivityFilter(query);
  const db = database();
  const withoutPeople = !(await seesPeople(db, actor, project.id));
  const [rows, words] = await Promise.all([
    listAudit(db, {
      ...filter,
      withoutPeople,
      projectId: project.id,
      before: state.after && looksLikeId(state.after) ? state.after : undefined,
      limit: PAGE + 1,
    }),
    auditWords(db, project.id, { withoutPeople }),
  ]);
  const shown = rows.slice(0, PAGE);
  const path = `/projects/${project.slug}/activity`;
  const exportHref = (as: string) => tableHref(`${path}/export`, query, { after: null, columns: null, as });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page>
      <PageHeader
        title="Activity"
        description="Who did what, and when. Nothing here can be changed or deleted."
        more={
          <a href={exportHref('jsonl')} download className={buttonStyle()}>
            JSON lines
          </a>
        }
      />
      <DataTable
        caption="Activity"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.id}
        state={state}
        path={path}
        query={query}
        filters={<ActivityFilters path={path} query={query} words={words} />}
        csv={exportHref('csv')}
        pager={{ next: rows.length > PAGE ? shown.at(-1)?.id : null }}
        empty={
          isFiltered ? (
            <EmptyState title="Nothing matches" action={<ButtonLink href={path}>Show everything</ButtonLink>}>
              Nobody did this in these days.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has happened yet">
              What people change in this project is written down here.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
