'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { publish } from './actions';

interface Props {
  slug: string;
  fields: { name: string; heading: string; text: string }[];
  title: string;
  nextNumber: number;
  asked: string;
  readOnly: boolean;
}

/** The text field by field. Publishing it is a new number: what people agreed to stays as they read it. */
export function ConsentForm({ slug, fields, title, nextNumber, asked, readOnly }: Props) {
  const [state, action] = useActionState(publish.bind(null, slug), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <Field label="Title of the project" error={state.fields?.projectTitle}>
        {(control) => (
          <Input {...control} name="projectTitle" defaultValue={title} maxLength={200} disabled={readOnly} />
        )}
      </Field>
      {fields.map(({ name, heading, text }) => (
        <Field key={name} label={heading} error={state.fields?.[name]}>
          {(control) => (
            <Textarea
              {...control}
              name={name}
              defaultValue={text}
              rows={Math.max(3, Math.ceil(text.length / 95))}
              maxLength={4000}
              disabled={readOnly}
            />
          )}
        </Field>
      ))}
      <FormError>{state.error}</FormError>
      {!readOnly && (
        <div className="flex flex-wrap items-center gap-3">
          <SubmitButton>Publish as text {nextNumber}</SubmitButton>
          <p className="text-xs text-ink-2">{asked}</p>
        </div>
      )}
    </ActionForm>
  );
}
