'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { toast } from '@/app/_ui/toasts';
import { changeName } from './actions';
import { told } from './told';

export function ProfileForm({ name }: { name: string }) {
  const [state, action] = useActionState(
    told(changeName, () => toast.success('Your name is changed.')),
    {},
  );
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <FormError>{state.error}</FormError>
      <Field
        row
        label="Name"
        hint="Shown to the people of your projects."
        error={state.fields?.name}
        className="py-0"
      >
        {(control) => (
          <Input {...control} name="name" defaultValue={name} autoComplete="name" required maxLength={100} />
        )}
      </Field>
      <div className="flex justify-end">
        <SubmitButton variant="secondary">Save</SubmitButton>
      </div>
    </ActionForm>
  );
}
