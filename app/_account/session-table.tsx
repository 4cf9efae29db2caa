import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { Badge } from '@/app/_ui/badge';
import { type Column, readTableState, Table } from '@/app/_ui/table';
import type { WorkerFormat } from '@/lib/core/i18n/worker-format';
import type { listSessions } from '@/lib/services/access/sessions';
import { endSession } from './actions';
import { describeAgent } from './describe-agent';
import { RevokeButton } from './revoke-button';

type Translate = Awaited<ReturnType<typeof getTranslations<'account'>>>;
type Session = Awaited<ReturnType<typeof listSessions>>[number];

/** "Firefox on Linux": enough to know one's own devices by. */
function agentText(agent: string | null, t: Translate): string {
  const { browser, system } = describeAgent(agent);
  const name = browser ?? t('unknownBrowser');
  return system ? t('browserOn', { browser: name, system }) : name;
}

const columnsOf = (t: Translate, format: WorkerFormat): Column<Session>[] => [
  {
    key: 'browser',
    title: t('browser'),
    cell: (session) => (
      <span className="flex items-center gap-2 whitespace-nowrap">
        {agentText(session.userAgent, t)}
        {session.isCurrent && <Badge tone="busy">{t('thisOne')}</Badge>}
      </span>
    ),
  },
  { key: 'address', title: t('address'), cell: (session) => session.ipAddress || '–' },
  {
    key: 'since',
    title: t('since'),
    className: 'whitespace-nowrap',
    cell: (session) => format.relative(session.createdAt),
  },
  {
    key: 'until',
    title: t('until'),
    className: 'whitespace-nowrap',
    cell: (session) => format.dateTime(session.expiresAt),
  },
  {
    key: 'act',
    title: t('actions'),
    untitled: true,
    className: 'w-0 text-end',
    cell: (session) =>
      !session.isCurrent && (
        <RevokeButton
          label={t('signOut')}
          title={t('signOutTitle')}
          confirm={t('signOut')}
          act={endSession.bind(null, session.id)}
        >
          {t('signOutText', { browser: agentText(session.userAgent, t) })}
        </RevokeButton>
      ),
  },
];

export async function SessionTable({ sessions }: { sessions: Session[] }) {
  const t = await getTranslations('account');
  const columns = columnsOf(t, await getWorkerFormat());
  return (
    <Table
      caption={t('sessions')}
      columns={columns}
      rows={sessions}
      rowKey={(session) => session.id}
      state={readTableState({}, columns)}
      path="/account"
      query={{}}
      empty={<p className="p-4 text-ink-2">{t('noSessions')}</p>}
    />
  );
}
