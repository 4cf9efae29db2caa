import { Badge } from '@/app/_ui/badge';
import { type Column, readTableState, Table } from '@/app/_ui/table';
import type { listSessions } from '@/lib/auth/sessions';
import { formatAge, formatDateTime } from '@/lib/format';
import { endSession } from './actions';
import { describeAgent } from './describe-agent';
import { RevokeButton } from './revoke-button';

type Session = Awaited<ReturnType<typeof listSessions>>[number];

const columnsAt = (now: Date): Column<Session>[] => [
  {
    key: 'browser',
    title: 'Browser',
    cell: (session) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        {describeAgent(session.userAgent)}
        {session.isCurrent && <Badge tone="busy">this one</Badge>}
      </span>
    ),
  },
  { key: 'address', title: 'Address', cell: (session) => session.ipAddress || '–' },
  {
    key: 'since',
    title: 'Signed in',
    className: 'whitespace-nowrap',
    cell: (session) => formatAge(session.createdAt, now),
  },
  {
    key: 'until',
    title: 'Ends (UTC)',
    className: 'whitespace-nowrap',
    cell: (session) => formatDateTime(session.expiresAt),
  },
  {
    key: 'act',
    title: 'Actions',
    untitled: true,
    className: 'w-0 text-right',
    cell: (session) =>
      !session.isCurrent && (
        <RevokeButton
          label="Sign out"
          title="Sign this session out?"
          confirm="Sign out"
          act={endSession.bind(null, session.id)}
        >
          {describeAgent(session.userAgent)} has to sign in again. Work that was sent is kept.
        </RevokeButton>
      ),
  },
];

export function SessionTable({ sessions, now }: { sessions: Session[]; now: Date }) {
  const columns = columnsAt(now);
  return (
    <Table
      caption="Sessions"
      columns={columns}
      rows={sessions}
      rowKey={(session) => session.id}
      state={readTableState({}, columns)}
      path="/account"
      query={{}}
      empty={<p className="p-4 text-ink-2">You have no session.</p>}
    />
  );
}
