import type { Metadata } from 'next';
import { AccountPanels } from '@/app/_account/account-panels';
import { KeyTable } from '@/app/_account/key-table';
import { NewKey } from '@/app/_account/new-key';
import { Translated } from '@/app/_i18n/translated';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { listKeys, scopes } from '@/lib/services/access';
import { requireRight } from '@/lib/services/access/page';
import { listSessions } from '@/lib/services/access/sessions';

export const metadata: Metadata = { title: 'Account' };

export default async function Account() {
  const actor = await requireRight('account.manage');
  const [sessions, keys] = await Promise.all([listSessions(database(), actor), listKeys(database(), actor)]);
  const grantable = scopes.filter((scope) => scope.id !== 'admin' || actor.isAdmin);
  return (
    <Page narrow>
      <PageHeader title="Account" />
      <Translated namespaces={['account']}>
        <AccountPanels actor={actor} sessions={sessions} />
      </Translated>
      <Panel
        title="API keys"
        description="For scripts and the command line. A key never has more rights than you."
        actions={<NewKey scopes={grantable.map(({ id, description }) => ({ id, description }))} />}
        flush
      >
        <KeyTable keys={keys} now={new Date()} />
      </Panel>
    </Page>
  );
}
