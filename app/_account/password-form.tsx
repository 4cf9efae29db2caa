'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useRef } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { changePassword } from './actions';
import { withSuccess } from './with-success';

export function PasswordForm({ email }: { email: string }) {
  const t = useTranslations('account');
  const form = useRef<HTMLFormElement>(null);
  const [state, action] = useActionState(
    withSuccess(changePassword, () => {
      form.current?.reset();
      toast.success(t('passwordSaved'), { description: t('passwordSavedText') });
    }),
    {},
  );
  return (
    <ActionForm ref={form} action={action} className="flex flex-col gap-3">
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <FormError>{state.error}</FormError>
      <Field row label={t('currentPassword')} error={state.fields?.currentPassword} className="py-0">
        {(control) => (
          <Input
            {...control}
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
      </Field>
      <Field
        row
        label={t('newPassword')}
        hint={t('passwordHint')}
        error={state.fields?.newPassword}
        className="py-0"
      >
        {(control) => (
          <Input
            {...control}
            name="newPassword"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            maxLength={128}
          />
        )}
      </Field>
      <div className="flex justify-end">
        <SubmitButton variant="secondary">{t('changePassword')}</SubmitButton>
      </div>
    </ActionForm>
  );
}
