'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { signOut } from '@/app/_shell/sign-out';
import { Button } from '@/app/_ui/button';
import { ActionForm, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { joinAsMe } from './join';

export function JoinAsMe({ token, name, email }: { token: string; name: string; email: string }) {
  const t = useTranslations('join');
  const [state, action] = useActionState(joinAsMe.bind(null, token), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <p className="text-ink-2">
        {t('signedInAs', { name: email === '' || email === name ? name : `${name} (${email})` })}
      </p>
      <FormError>{state.error}</FormError>
      <div className="flex flex-wrap gap-2">
        <SubmitButton>{t('joinAs')}</SubmitButton>
        <Button variant="quiet" onClick={() => void signOut()}>
          {t('joinAsOther')}
        </Button>
      </div>
    </ActionForm>
  );
}
