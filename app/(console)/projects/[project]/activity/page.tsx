import type { Metadata } from 'next';
import Link from 'next/link';
import { ButtonLink, buttonStyle } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { type Column, DataTable, readTableState, tableHref } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime } from '@/lib/core/format';
import { looksLikeId, seesPeople } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import {
  auditWords,
  describeActivity,
  findSubjects,
  listAudit,
  type SentencePart,
} from '@/lib/services/activity';
import { ActivityFilters } from './activity-filters';
import { readActivityFilter } from './read-activity-filter';

export const metadata: Metadata = { title: 'Activity' };

const PAGE = 100;

type Props = PageProps<'/projects/[project]/activity'>;
interface Row {
  entry: Awaited<ReturnType<typeof listAudit>>[number];
  sentence: SentencePart[];
}

const columnsOf = (project: string): Column<Row>[] => [
  {
    key: 'at',
    title: 'When, UTC',
    fixed: true,
    className: 'w-40',
    cell: ({ entry }) => formatDateTime(entry.createdAt),
  },
  { key: 'actor', title: 'Who', className: 'whitespace-nowrap', cell: ({ entry }) => entry.actor },
  {
    key: 'event',
    title: 'Event',
    cell: ({ sentence }) =>
      sentence.map(({ text, path }) =>
        path ? (
          <Link key={path} href={`${project}${path}`} className="underline underline-offset-2">
            {text}
          </Link>
        ) : (
          text
        ),
      ),
  },
  {
    key: 'verb',
    title: 'Code',
    hidden: true,
    className: 'whitespace-nowrap',
    cell: ({ entry }) => entry.verb,
  },
  {
    key: 'detail',
    title: 'Recorded values',
    hidden: true,
    cell: ({ entry }) => (
      <code className="font-mono text-xs break-all text-ink-2">
        {Object.keys(entry.detail).length ? JSON.stringify(entry.detail) : ''}
      </code>
    ),
  },
  {
    key: 'request',
    title: 'Request',
    hidden: true,
    cell: ({ entry }) => <code className="font-mono text-xs">{entry.requestId ?? '–'}</code>,
  },
];

/** What happened in a project, newest first. */
export default async function Activity({ params, searchParams }: Props) {
  const { project, actor } = await pageProject((await params).project, 'activity.read');
  const query = await searchParams;
  const columns = columnsOf(`/projects/${project.slug}`);
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
  const entries = rows.slice(0, PAGE);
  const subjects = await findSubjects(db, project.id, entries);
  const shown = entries.map((entry) => ({ entry, sentence: describeActivity(entry, subjects) }));
  const path = `/projects/${project.slug}/activity`;
  const exportHref = (as: string) => tableHref(`${path}/export`, query, { after: null, columns: null, as });
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <Page>
      <PageHeader
        title="Activity"
        description="Who changed what, and when. Entries cannot be edited or deleted."
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
        rowKey={({ entry }) => entry.id}
        state={state}
        path={path}
        query={query}
        filters={<ActivityFilters path={path} query={query} words={words} />}
        csv={exportHref('csv')}
        pager={{ next: rows.length > PAGE ? shown.at(-1)?.entry.id : null }}
        empty={
          isFiltered ? (
            <EmptyState title="Nothing matches" action={<ButtonLink href={path}>Show everything</ButtonLink>}>
              No event matches the filter.
            </EmptyState>
          ) : (
            <EmptyState title="No activity yet">Changes to this project will be listed here.</EmptyState>
          )
        }
      />
    </Page>
  );
}
