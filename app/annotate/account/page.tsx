import type { Metadata } from 'next';
import { AccountPanels } from '@/app/_account/account-panels';
import { database } from '@/db';
import { requireRight } from '@/lib/auth/page';
import { listSessions } from '@/lib/auth/sessions';

export const metadata: Metadata = { title: 'Account' };

export default async function WorkerAccount() {
  const actor = await requireRight('account.manage');
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Account</h1>
      <AccountPanels actor={actor} sessions={await listSessions(database(), actor)} />
    </>
  );
}
