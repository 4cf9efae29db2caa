'use client';

import { Snowflake } from 'lucide-react';
import { useActionState } from 'react';
import { ActionForm, Checkbox, Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import type { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { freeze } from './actions';

interface Props {
  slug: string;
  request: Pick<FreezeRequest, 'filter' | 'split'>;
  images: number;
  leaks: number;
  /** The address of the plan, to come back to when freezing fails. */
  plan: string;
}

/** What is said about the version, and the button that makes it. */
export function FreezeForm({ slug, request, images, leaks, plan }: Props) {
  const [state, action] = useActionState(freeze.bind(null, slug, request), {});
  return (
    <ActionForm action={action} className="grid gap-4 lg:grid-cols-2">
      <input type="hidden" name="plan" value={plan} />
      <Field
        label="Licence"
        optional
        hint="Under which terms the version may be used. It is part of what is frozen."
      >
        {(control) => <Input {...control} name="licence" maxLength={200} placeholder="CC BY 4.0" />}
      </Field>
      <Field label="Description" optional hint="What it is for. It can be changed later.">
        {(control) => <Textarea {...control} name="description" rows={2} maxLength={4000} />}
      </Field>
      <div className="flex flex-col items-start gap-3 lg:col-span-2">
        {leaks > 0 && (
          <Checkbox
            name="allowLeaks"
            required
            label={`Freeze although ${leaks} pairs are put apart`}
            hint="A test score on such a split is too good; the card says how many pairs there are."
          />
        )}
        <FormError>{state.error}</FormError>
        <SubmitButton icon={<Snowflake aria-hidden />} disabled={images === 0}>
          Freeze version
        </SubmitButton>
      </div>
    </ActionForm>
  );
}
