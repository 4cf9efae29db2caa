'use client';

import { X } from 'lucide-react';
import { useActionState } from 'react';
import { ActionButton } from '@/app/_shell/action-button';
import { Field, FormError, Input, Select, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { addNote, addTag, describe, removeTag } from './actions';

interface Which {
  slug: string;
  number: string;
}

export function TagForm({ slug, number, tags }: Which & { tags: string[] }) {
  const [state, action] = useActionState(addTag.bind(null, slug, number), {});
  return (
    <form action={action} className="flex flex-col gap-2">
      <Field
        label="Tag"
        error={state.fields?.tag ?? state.error}
        hint="For commands and scripts. A tag used by another version moves to this one."
      >
        {(control) => (
          <span className="flex gap-2">
            <Input {...control} name="tag" maxLength={40} placeholder="paper" required />
            <SubmitButton variant="secondary">Add</SubmitButton>
          </span>
        )}
      </Field>
      {tags.length > 0 && (
        <span className="flex flex-wrap gap-1">
          {tags.map((tag) => (
            <ActionButton
              key={tag}
              size="small"
              icon={<X aria-hidden />}
              aria-label={`Remove the tag ${tag}`}
              act={() => removeTag(slug, number, tag)}
            >
              {tag}
            </ActionButton>
          ))}
        </span>
      )}
    </form>
  );
}

export function DescriptionForm({ slug, number, description }: Which & { description: string }) {
  const [state, action] = useActionState(describe.bind(null, slug, number), {});
  return (
    <form action={action} className="flex flex-col gap-2">
      <Field label="Description" optional error={state.error}>
        {(control) => (
          <Textarea
            {...control}
            key={description}
            name="description"
            rows={3}
            maxLength={4000}
            defaultValue={description}
          />
        )}
      </Field>
      <div>
        <SubmitButton variant="secondary">Save description</SubmitButton>
      </div>
    </form>
  );
}

/** `newer`: numbers of the versions that can supersede this one. */
export function NoteForm({ slug, number, newer }: Which & { newer: number[] }) {
  const [state, action] = useActionState(addNote.bind(null, slug, number), {});
  return (
    <form action={action} className="flex flex-col gap-2">
      <Field label="Note" hint="Findings since freezing. Notes cannot be deleted.">
        {(control) => <Textarea {...control} name="text" rows={2} maxLength={4000} />}
      </Field>
      {newer.length > 0 && (
        <Field label="Superseded by" optional>
          {(control) => (
            <Select
              {...control}
              name="supersededBy"
              options={[
                { value: '', label: 'Not superseded' },
                ...newer.map((each) => ({ value: String(each), label: `Version ${each}` })),
              ]}
            />
          )}
        </Field>
      )}
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton variant="secondary">Add note</SubmitButton>
      </div>
    </form>
  );
}
