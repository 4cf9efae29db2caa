import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { State } from '@/app/_ui/state';
import { type Column, DataTable, idAfter, type Query, readTableState } from '@/app/_ui/table';
import { database } from '@/db';
import { formatDate } from '@/lib/core/format';
import { requireRight } from '@/lib/services/access/page';
import { listUsers, shownAddress } from '@/lib/services/accounts';
import { describeRoles } from '../labels';
import { UserActions } from './user-actions';

export const metadata: Metadata = { title: 'Users' };

const pageSize = 50;

type User = Awaited<ReturnType<typeof listUsers>>[number];

const columnsFor = (selfId: string): Column<User>[] => [
  {
    key: 'name',
    title: 'Name',
    fixed: true,
    cell: (user) => <span className="font-medium">{user.name}</span>,
  },
  { key: 'email', title: 'E-mail or pseudonym', cell: (user) => shownAddress(user.email) },
  {
    key: 'state',
    title: 'State',
    cell: (user) => <State state={user.disabledAt ? 'disabled' : 'active'} />,
  },
  { key: 'admin', title: 'Admin', cell: (user) => (user.isAdmin ? 'admin' : '–') },
  {
    key: 'roles',
    title: 'Roles',
    cell: (user) => <span className="text-ink-2">{describeRoles(user.roles) || '–'}</span>,
  },
  { key: 'created', title: 'Since', cell: (user) => formatDate(user.createdAt) },
  {
    key: 'act',
    title: 'Actions',
    untitled: true,
    fixed: true,
    className: 'w-0 whitespace-nowrap text-right',
    cell: (user) =>
      user.id !== selfId && (
        <UserActions
          id={user.id}
          name={user.name}
          isAdmin={user.isAdmin}
          isDisabled={user.disabledAt !== null}
        />
      ),
  },
];

export default async function Users({ searchParams }: { searchParams: Promise<Query> }) {
  const actor = await requireRight('users.manage');
  const query = await searchParams;
  const columns = columnsFor(actor.userId);
  const state = readTableState(query, columns);
  const search = typeof query.q === 'string' ? query.q.trim() : '';
  const found = await listUsers(database(), { limit: pageSize + 1, after: idAfter(state), search });
  const rows = found.slice(0, pageSize);
  return (
    <Page>
      <PageHeader
        title="Users"
        description="Everyone with an account. Accounts are made by invitation, never by hand."
        action={
          <ButtonLink href="/admin/invitations" variant="primary">
            Invite people
          </ButtonLink>
        }
      />
      <DataTable
        caption="Users"
        columns={columns}
        rows={rows}
        rowKey={(user) => user.id}
        state={state}
        path="/admin/users"
        query={query}
        filter="Name or e-mail"
        csv="/admin/users/csv"
        pager={{ next: found.length > pageSize ? rows.at(-1)?.id : null }}
        empty={
          <EmptyState
            title="No matching users"
            action={<ButtonLink href="/admin/users">Show everyone</ButtonLink>}
          >
            No name or address contains “{search}”. Try a shorter part of it.
          </EmptyState>
        }
      />
    </Page>
  );
}
