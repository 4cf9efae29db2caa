'use client';

import { useActionState } from 'react';
import { CopyField } from '@/app/_ui/copy-field';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { LinkLimits } from '../link-limits';
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
        <LinkLimits seats={25} errors={state.fields} />
      </div>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Create link</SubmitButton>
      </div>
      {state.link && <CopyField label="Invitation link" value={state.link} once />}
    </ActionForm>
  );
}
