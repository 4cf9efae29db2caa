'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { addStudy } from './actions';

const codes = [
  { name: 'finished', label: 'Code: finished', hint: 'Action at Prolific: approve, or review by hand.' },
  { name: 'screenedOut', label: 'Code: screened out', hint: 'For a failed exam. It must be paid.' },
  { name: 'returned', label: 'Code: returned', hint: 'For who stops or withdraws.' },
] as const;

/** Ties a study at Prolific to the project. */
export function StudyForm({ slug }: { slug: string }) {
  const [state, action] = useActionState(addStudy.bind(null, slug), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Study id"
          error={state.fields?.externalId}
          hint="From the address of the study at Prolific."
        >
          {(control) => <Input {...control} name="externalId" autoComplete="off" className="font-mono" />}
        </Field>
        <Field label="Cohort" optional error={state.fields?.cohort}>
          {(control) => <Input {...control} name="cohort" maxLength={80} autoComplete="off" />}
        </Field>
        {codes.map(({ name, label, hint }) => (
          <Field key={name} label={label} hint={hint} error={state.fields?.[name]}>
            {(control) => <Input {...control} name={name} autoComplete="off" className="font-mono" />}
          </Field>
        ))}
        <Field
          label="Batches of a visit"
          error={state.fields?.batches}
          hint="After so many the visit is finished."
        >
          {(control) => (
            <Input {...control} name="batches" type="number" min={1} max={1000} defaultValue={1} />
          )}
        </Field>
        <Field
          label="Currency of the study"
          error={state.fields?.currency}
          hint="Bonuses are sent in it, if the policy pays in it too."
        >
          {(control) => (
            <Select
              {...control}
              name="currency"
              defaultValue="USD"
              options={['USD', 'GBP'].map((value) => ({ value, label: value }))}
            />
          )}
        </Field>
      </div>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Connect the study</SubmitButton>
      </div>
    </ActionForm>
  );
}
