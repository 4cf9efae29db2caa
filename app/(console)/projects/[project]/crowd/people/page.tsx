import type { Metadata } from 'next';
import { Badge } from '@/app/_ui/badge';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, idAfter, readTableState } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDate } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { listMembers, shownAddress } from '@/lib/services/accounts';
import { CrowdPage } from '../crowd-page';
import { InviteDialog } from './invite-dialog';
import { RemoveRole } from './remove-role';

export const metadata: Metadata = { title: 'Roles' };

const PAGE = 100;

type Props = PageProps<'/projects/[project]/crowd/people'>;
type Row = Awaited<ReturnType<typeof listMembers>>[number];

const columnsFor = (slug: string): Column<Row>[] => [
  { key: 'name', title: 'Name', fixed: true, cell: (row) => <span className="font-medium">{row.name}</span> },
  { key: 'email', title: 'E-mail', cell: (row) => shownAddress(row.email) || '–' },
  {
    key: 'roles',
    title: 'Roles',
    cell: (row) => (
      <span className="flex gap-1">
        {row.roles.map((role) => (
          <Badge key={role}>{role}</Badge>
        ))}
      </span>
    ),
  },
  {
    key: 'state',
    title: 'State',
    cell: (row) => <State state={row.isDisabled ? 'disabled' : 'active'} />,
  },
  { key: 'since', title: 'Since', numeric: true, cell: (row) => formatDate(row.since) },
  {
    key: 'actions',
    title: 'Actions',
    untitled: true,
    fixed: true,
    className: 'text-right',
    cell: (row) => <RemoveRole slug={slug} userId={row.userId} name={row.name} roles={row.roles} />,
  },
];

export default async function Roles({ params, searchParams }: Props) {
  const { project, actor } = await pageProject((await params).project, 'members.read');
  const query = await searchParams;
  const columns = columnsFor(project.slug);
  const state = readTableState(query, columns);
  const rows = await listMembers(database(), project.id, { limit: PAGE + 1, after: idAfter(state) });
  const shown = rows.slice(0, PAGE);
  return (
    <CrowdPage
      slug={project.slug}
      at="/people"
      title="Roles"
      description="Everyone with a role in this project: curators, researchers, workers. People join by invitation only."
      action={<InviteDialog slug={project.slug} mayInviteCurators={actor.isAdmin} />}
    >
      <DataTable
        caption="People"
        columns={columns}
        rows={shown}
        rowKey={(row) => row.userId}
        state={state}
        path={`/projects/${project.slug}/crowd/people`}
        query={query}
        pager={{ next: rows.length > PAGE ? shown.at(-1)?.userId : null }}
        empty={<EmptyState title="No members yet">Invite the first person.</EmptyState>}
      />
    </CrowdPage>
  );
}
