'use client';

import { useActionState } from 'react';
import { Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { changeDetails } from './actions';

type Props = { slug: string; name: string; description: string; readOnly: boolean };

export function SettingsForm({ slug, name, description, readOnly }: Props) {
  const [state, action] = useActionState(changeDetails.bind(null, slug), {});
  return (
    <form action={action} className="flex flex-col gap-4">
      <Field label="Name" error={state.fields?.name}>
        {(control) => (
          <Input {...control} name="name" defaultValue={name} required maxLength={120} disabled={readOnly} />
        )}
      </Field>
      <Field label="Description" optional error={state.fields?.description}>
        {(control) => (
          <Textarea
            {...control}
            name="description"
            defaultValue={description}
            rows={3}
            maxLength={2000}
            disabled={readOnly}
          />
        )}
      </Field>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton disabled={readOnly}>Save</SubmitButton>
      </div>
    </form>
  );
}
