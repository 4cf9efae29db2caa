'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { changeName } from './actions';
import { withSuccess } from './with-success';

export function ProfileForm({ name }: { name: string }) {
  const t = useTranslations('account');
  const [state, action] = useActionState(
    withSuccess(changeName, () => toast.success(t('nameSaved'))),
    {},
  );
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <FormError>{state.error}</FormError>
      <Field row label={t('name')} hint={t('nameHint')} error={state.fields?.name} className="py-0">
        {(control) => (
          <Input {...control} name="name" defaultValue={name} autoComplete="name" required maxLength={100} />
        )}
      </Field>
      <div className="flex justify-end">
        <SubmitButton variant="secondary">{t('save')}</SubmitButton>
      </div>
    </ActionForm>
  );
}
