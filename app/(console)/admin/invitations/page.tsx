import type { Metadata } from 'next';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, idAfter, type Query, readTableState } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { requireRight } from '@/lib/services/access/page';
import { listInvitations } from '@/lib/services/accounts';
import { listShellProjects } from '@/lib/services/projects';
import { invitationState } from '../labels';
import { NewInvitation, WithdrawInvitation } from './invitation-forms';

export const metadata: Metadata = { title: 'Invitations' };

const pageSize = 50;

type Invitation = Awaited<ReturnType<typeof listInvitations>>[number];

const offers = ({ makesAdmin, project, roles }: Invitation) =>
  makesAdmin ? 'admin of the instance' : `${project}: ${roles.join(', ')}`;

const columnsAt = (now: Date): Column<Invitation>[] => [
  { key: 'offer', title: 'Invites as', fixed: true, cell: offers },
  { key: 'for', title: 'For', cell: (invitation) => invitation.email ?? 'anyone with the link' },
  { key: 'state', title: 'State', cell: (invitation) => <State state={invitationState(invitation, now)} /> },
  {
    key: 'seats',
    title: 'Seats taken',
    numeric: true,
    cell: (invitation) => `${formatNumber(invitation.used)} / ${formatNumber(invitation.seats)}`,
  },
  { key: 'until', title: 'Open until (UTC)', cell: (invitation) => formatDateTime(invitation.expiresAt) },
  {
    key: 'created',
    title: 'Made (UTC)',
    hidden: true,
    cell: (invitation) => formatDateTime(invitation.createdAt),
  },
  {
    key: 'act',
    title: 'Actions',
    untitled: true,
    fixed: true,
    className: 'w-0 text-right',
    cell: (invitation) =>
      invitationState(invitation, now) === 'open' && <WithdrawInvitation id={invitation.id} />,
  },
];

export default async function Invitations({ searchParams }: { searchParams: Promise<Query> }) {
  const actor = await requireRight('users.manage');
  const query = await searchParams;
  const columns = columnsAt(new Date());
  const state = readTableState(query, columns);
  const [found, projects] = await Promise.all([
    listInvitations(database(), { limit: pageSize + 1, before: idAfter(state) }),
    listShellProjects(database(), actor),
  ]);
  const rows = found.slice(0, pageSize);
  const invite = <NewInvitation projects={projects.map(({ slug, name }) => ({ slug, name }))} />;
  return (
    <Page>
      <PageHeader
        title="Invitations"
        description="Invitation links grant roles to accounts. A link is shown only once, when you create it."
        action={invite}
      />
      <DataTable
        caption="Invitations"
        columns={columns}
        rows={rows}
        rowKey={(invitation) => invitation.id}
        state={state}
        path="/admin/invitations"
        query={query}
        csv="/admin/invitations/csv"
        pager={{ next: found.length > pageSize ? rows.at(-1)?.id : null }}
        empty={
          <EmptyState title="No invitations yet" action={invite}>
            Make a link for a person, or one with many seats for a whole group of workers, and send it to
            them.
          </EmptyState>
        }
      />
    </Page>
  );
}
