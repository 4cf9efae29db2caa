'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, RadioGroup, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { answer } from './actions';

/** The curator's answer to an appeal, given once. */
export function AppealForm({ slug, appealId }: { slug: string; appealId: string }) {
  const [state, action] = useActionState(answer.bind(null, slug), {});
  return (
    <ActionForm action={action} className="flex max-w-prose flex-col gap-4">
      <input type="hidden" name="appealId" value={appealId} />
      <RadioGroup
        name="outcome"
        legend="Answer"
        options={[
          {
            value: 'granted',
            label: 'Grant it',
            hint: 'The worker can continue immediately. Older checks no longer count against them. Answers that were set aside count again, unless another worker has already taken the item.',
          },
          {
            value: 'upheld',
            label: 'Uphold the decision',
            hint: 'Nothing changes. Finished work stays paid.',
          },
        ]}
      />
      {state.fields?.outcome && <p className="text-xs text-bad">{state.fields.outcome}</p>}
      <Field label="Reply" error={state.fields?.reply} hint="The worker reads this text.">
        {(control) => <Textarea {...control} name="reply" rows={3} maxLength={2000} />}
      </Field>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Answer the appeal</SubmitButton>
      </div>
    </ActionForm>
  );
}
