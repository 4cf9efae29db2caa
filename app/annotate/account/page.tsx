import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AccountPanels } from '@/app/_account/account-panels';
import { Translated } from '@/app/_i18n/translated';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { listSessions } from '@/lib/services/access/sessions';
import { workerConsents } from '@/lib/services/crowd/consent';
import { ownPayees, payTermsOf, workerMoney } from '@/lib/services/crowd/pay';
import { decisionsAbout, hasPassword, messagesOf, statement } from '@/lib/services/crowd/worker';
import { Earnings } from '../_home/earnings';
import { ConsentTable } from './consent-table';
import { DecisionList } from './decision-list';
import { MessageTable } from './message-table';
import { PayTermsList } from './pay-terms-list';
import { StatementTable } from './statement-table';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('account'))('title') };
}

/** Lines of the ledger on the page; the file has all. */
const SHOWN_LINES = 20;

export default async function WorkerAccount() {
  const actor = await requireRight('account.manage');
  const db = database();
  const [money, payTerms, payees, lines, decisions, messages, consents, sessions, isWithPassword] =
    await Promise.all([
      workerMoney(db, actor.userId),
      payTermsOf(db, actor.userId),
      ownPayees(db, actor.userId),
      statement(db, actor.userId, { limit: SHOWN_LINES }),
      decisionsAbout(db, actor.userId),
      messagesOf(db, actor.userId),
      workerConsents(db, actor.userId),
      listSessions(db, actor),
      hasPassword(db, actor.userId),
    ]);
  const t = await getTranslations();
  return (
    <Translated namespaces={['account', 'appeal', 'errors', 'payee', 'withdraw']}>
      <h1 className="text-2xl font-semibold tracking-tight">{t('account.title')}</h1>
      <Earnings money={money} />
      {payTerms.length + payees.length > 0 && (
        <div id="pay" className="scroll-mt-18">
          <Panel title={t('money.how')} flush>
            <PayTermsList terms={payTerms} payees={payees} />
          </Panel>
        </div>
      )}
      <Panel
        title={t('money.statement')}
        description={lines.length === SHOWN_LINES ? t('money.newest', { count: SHOWN_LINES }) : undefined}
        actions={
          <>
            <ButtonLink href="/annotate/history" variant="quiet">
              {t('home.allBatches')}
            </ButtonLink>
            <DownloadLink href="/annotate/account/earnings" label="CSV" />
          </>
        }
        flush
      >
        <StatementTable lines={lines} />
      </Panel>
      <Panel title={t('account.decisions')} flush>
        <DecisionList decisions={decisions} />
      </Panel>
      <Panel title={t('account.messages')} flush>
        <MessageTable messages={messages.toReversed()} />
      </Panel>
      <Panel title={t('account.consents')} description={t('account.consentsText')} flush>
        <ConsentTable consents={consents} />
      </Panel>
      <Panel title={t('account.data')} actions={<DownloadLink href="/annotate/account/data" label="JSON" />}>
        <p className="text-ink-2">{t('account.dataText')}</p>
      </Panel>
      <AccountPanels actor={actor} sessions={sessions} hasPassword={isWithPassword} />
    </Translated>
  );
}

const DownloadLink = ({ href, label }: { href: string; label: string }) => (
  <ButtonLink href={href} prefetch={false} download icon={<Download aria-hidden />}>
    {label}
  </ButtonLink>
);
