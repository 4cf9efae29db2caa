import type { Metadata } from 'next';
import { PasswordForm } from '@/app/_account/password-form';
import { ProfileForm } from '@/app/_account/profile-form';
import { RevokeOthers } from '@/app/_account/revoke-others';
import { SessionTable } from '@/app/_account/session-table';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { requireRight } from '@/lib/auth/page';
import { listSessions } from '@/lib/auth/sessions';

export const metadata: Metadata = { title: 'Account' };

export default async function WorkerAccount() {
  const actor = await requireRight('account.manage');
  const sessions = await listSessions(database(), actor);
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Account</h1>
      <Panel title="Profile" description={actor.email}>
        <ProfileForm name={actor.name} />
      </Panel>
      <Panel title="Password" description="Changing it signs you out everywhere else">
        <PasswordForm email={actor.email} />
      </Panel>
      <Panel
        title="Sessions"
        description="Where you are signed in"
        actions={sessions.length > 1 && <RevokeOthers count={sessions.length - 1} />}
        flush
      >
        <SessionTable sessions={sessions} now={new Date()} />
      </Panel>
    </>
  );
}
