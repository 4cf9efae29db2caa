'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { signIn } from './sign-in';

export function SignInForm({ next }: { next: string }) {
  const t = useTranslations('signIn');
  const [state, action] = useActionState(signIn, {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      <FormError>{state.error}</FormError>
      <Field label={t('name')} error={state.fields?.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
            className="h-9"
          />
        )}
      </Field>
      <Field label={t('password')} error={state.fields?.password}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            className="h-9"
          />
        )}
      </Field>
      <SubmitButton className="h-9">{t('submit')}</SubmitButton>
    </ActionForm>
  );
}
