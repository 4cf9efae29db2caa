import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import { type Column, readTableState, Table } from '@/app/_ui/table';
import { formatAge, formatDate } from '@/lib/core/format';
import type { listKeys } from '@/lib/services/access';
import { endKey } from './actions';
import { RevokeButton } from './revoke-button';

type Key = Awaited<ReturnType<typeof listKeys>>[number];

function stateOf(key: Key, now: Date): 'revoked' | 'expired' | 'active' {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

const columnsAt = (now: Date): Column<Key>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: (key) => (
      <>
        {key.name} <code className="font-mono text-xs text-ink-3">{key.prefix}…</code>
      </>
    ),
  },
  { key: 'state', title: 'State', cell: (key) => <State state={stateOf(key, now)} /> },
  {
    key: 'scopes',
    title: 'May',
    cell: (key) => <span className="text-xs text-ink-2">{key.scopes.join(', ')}</span>,
  },
  {
    key: 'used',
    title: 'Last used',
    cell: (key) => (key.lastUsedAt ? formatAge(key.lastUsedAt, now) : 'never'),
  },
  { key: 'until', title: 'Ends', cell: (key) => (key.expiresAt ? formatDate(key.expiresAt) : 'never') },
  {
    key: 'act',
    title: 'Actions',
    untitled: true,
    className: 'w-0 text-right',
    cell: (key) =>
      stateOf(key, now) === 'active' && (
        <RevokeButton
          label="Revoke"
          title={`Revoke ${key.name}?`}
          confirm="Revoke the key"
          act={endKey.bind(null, key.id)}
        >
          Scripts that use it are refused from now on. A revoked key cannot come back.
        </RevokeButton>
      ),
  },
];

export function KeyTable({ keys, now }: { keys: Key[]; now: Date }) {
  const columns = columnsAt(now);
  return (
    <Table
      caption="API keys"
      columns={columns}
      rows={keys}
      rowKey={(key) => key.id}
      state={readTableState({}, columns)}
      path="/account"
      query={{}}
      empty={
        <EmptyState title="No keys yet">
          Make one to use <code className="font-mono text-xs">npx tessera</code> from another machine, or to
          call the HTTP API from a script.
        </EmptyState>
      }
    />
  );
}
