'use client';

import { useActionState } from 'react';
import { CopyField } from '@/app/_ui/copy-field';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { invitePool } from './actions';

/** Creates an invitation link for workers of the project's own pool. */
export function PoolForm({ slug }: { slug: string }) {
  const [state, action] = useActionState(invitePool.bind(null, slug), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Cohort" optional error={state.fields?.cohort} hint="A name that identifies this group.">
          {(control) => <Input {...control} name="cohort" maxLength={80} autoComplete="off" />}
        </Field>
        <Field
          label="E-mail"
          optional
          error={state.fields?.email}
          hint="With an address the link is for one person."
        >
          {(control) => <Input {...control} name="email" type="email" autoComplete="off" />}
        </Field>
        <Field label="Seats" error={state.fields?.seats} hint="How many people may use the link.">
          {(control) => (
            <Input {...control} name="seats" type="number" min={1} max={10_000} defaultValue={25} />
          )}
        </Field>
        <Field label="Valid for days" error={state.fields?.days}>
          {(control) => <Input {...control} name="days" type="number" min={1} max={365} defaultValue={14} />}
        </Field>
      </div>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Create link</SubmitButton>
      </div>
      {state.link && <CopyField label="Invitation link" value={state.link} once />}
    </ActionForm>
  );
}
