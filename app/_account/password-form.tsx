'use client';

import { useActionState, useRef } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { changePassword } from './actions';
import { told } from './told';

export function PasswordForm({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [state, action] = useActionState(
    told(changePassword, () => {
      form.current?.reset();
      toast.success('Your password is changed.', { description: 'All other sessions are signed out.' });
    }),
    {},
  );
  return (
    <ActionForm ref={form} action={action} className="flex flex-col gap-3">
      {/* Tells a password manager whose password this is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <FormError>{state.error}</FormError>
      <Field row label="Present password" error={state.fields?.currentPassword} className="py-0">
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
        label="New password"
        hint="At least 10 characters."
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
        <SubmitButton variant="secondary">Change password</SubmitButton>
      </div>
    </ActionForm>
  );
}
