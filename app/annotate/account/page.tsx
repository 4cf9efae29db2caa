import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { AccountPanels } from '@/app/_account/account-panels';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { requireRight } from '@/lib/auth/page';
import { listSessions } from '@/lib/auth/sessions';
import { workerConsents } from '@/lib/crowd/consent';
import { workerMoney } from '@/lib/crowd/pay';
import { decisionsAbout, hasPassword, messagesOf, statement } from '@/lib/crowd/worker';
import { Earnings } from '../_home/earnings';
import { ConsentTable } from './consent-table';
import { DecisionList } from './decision-list';
import { MessageTable } from './message-table';
import { StatementTable } from './statement-table';

export const metadata: Metadata = { title: 'Account' };

/** Lines of the ledger on the page; the file has all. */
const SHOWN_LINES = 20;

export default async function WorkerAccount() {
  const actor = await requireRight('account.manage');
  const db = database();
  const [money, lines, decisions, messages, consents, sessions, isWithPassword] = await Promise.all([
    workerMoney(db, actor.userId),
    statement(db, actor.userId, { limit: SHOWN_LINES }),
    decisionsAbout(db, actor.userId),
    messagesOf(db, actor.userId),
    workerConsents(db, actor.userId),
    listSessions(db, actor),
    hasPassword(db, actor.userId),
  ]);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Account</h1>
      <Earnings money={money} />
      <Panel
        title="Statement"
        description={lines.length === SHOWN_LINES ? `The newest ${SHOWN_LINES} lines` : undefined}
        actions={<DownloadLink href="/annotate/account/earnings" label="CSV" />}
        flush
      >
        <StatementTable lines={lines} />
      </Panel>
      <Panel title="Decisions and appeals" flush>
        <DecisionList decisions={decisions} />
      </Panel>
      <Panel title="Messages to the curators" flush>
        <MessageTable messages={messages.toReversed()} />
      </Panel>
      <Panel title="Taking part" description="What you agreed to. You can withdraw at any time." flush>
        <ConsentTable consents={consents} />
      </Panel>
      <Panel title="Data about me" actions={<DownloadLink href="/annotate/account/data" label="JSON" />}>
        <p className="text-ink-2">
          All that is stored about you, as a file: profile, visits, consent, batches, answers, exams,
          earnings, decisions, messages. Which items were hidden checks is not in it.
        </p>
      </Panel>
      <AccountPanels actor={actor} sessions={sessions} hasPassword={isWithPassword} />
    </>
  );
}

const DownloadLink = ({ href, label }: { href: string; label: string }) => (
  <ButtonLink href={href} prefetch={false} download icon={<Download aria-hidden />}>
    {label}
  </ButtonLink>
);
