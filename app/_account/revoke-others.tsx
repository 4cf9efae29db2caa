import { getTranslations } from 'next-intl/server';
import { endOtherSessions } from './actions';
import { RevokeButton } from './revoke-button';

export async function RevokeOthers({ count }: { count: number }) {
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
