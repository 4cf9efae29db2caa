import { getTranslations } from 'next-intl/server';
import { Panel } from '@/app/_ui/panel';
import type { listSessions } from '@/lib/services/access/sessions';
import { shownAddress } from '@/lib/services/accounts';
import { endOtherSessions } from './actions';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { RevokeButton } from './revoke-button';
import { SessionTable } from './session-table';

type Props = {
  actor: { name: string; email: string };
  sessions: Awaited<ReturnType<typeof listSessions>>;
  /** Who came by a marketplace has no password to change. */
  hasPassword?: boolean;
};

/** What everyone can do about their own account, in the console and at work alike. */
export async function AccountPanels({ actor, sessions, hasPassword = true }: Props) {
  const t = await getTranslations('account');
  return (
    <>
      <Panel title={t('profile')} description={shownAddress(actor.email)}>
        <ProfileForm name={actor.name} />
      </Panel>
      {hasPassword && (
        <Panel title={t('password')} description={t('passwordText')}>
          <PasswordForm email={actor.email} />
        </Panel>
      )}
      <Panel
        title={t('sessions')}
        description={t('sessionsText')}
        actions={sessions.length > 1 && <RevokeOthers count={sessions.length - 1} />}
        flush
      >
        <SessionTable sessions={sessions} />
      </Panel>
    </>
  );
}

async function RevokeOthers({ count }: { count: number }) {
  const t = await getTranslations('account');
  return (
    <RevokeButton
      label={t('signOutOthers')}
      title={t('signOutOthersTitle')}
      confirm={t('signOut')}
      act={endOtherSessions}
    >
      {t('signOutOthersText', { count })}
    </RevokeButton>
  );
}
