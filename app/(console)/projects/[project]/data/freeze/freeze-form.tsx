'use client';

import { Snowflake } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type SubmitEvent, useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ActionForm, Checkbox, Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import type { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { freeze } from './actions';

interface FreezeFormProps {
  slug: string;
  request: Pick<FreezeRequest, 'filter' | 'split'>;
  images: number;
  leaks: number;
  /** Query of the plan, for the way back if freezing fails. */
  plan: string;
}

/** Licence and description of the version, and the button that freezes it. */
export function FreezeForm({ slug, request, images, leaks, plan }: FreezeFormProps) {
  const [state, action] = useActionState(freeze.bind(null, slug, request), {});
  return (
    <ActionForm action={action} className="grid gap-4 lg:grid-cols-2">
      <input type="hidden" name="plan" value={plan} />
      <Field label="Licence" optional hint="Terms of use. Included in the frozen version.">
        {(control) => <Input {...control} name="licence" maxLength={200} placeholder="CC BY 4.0" />}
      </Field>
      <Field label="Description" optional hint="Purpose of this version. You can change it later.">
        {(control) => <Textarea {...control} name="description" rows={2} maxLength={4000} />}
      </Field>
      <div className="flex flex-col items-start gap-3 lg:col-span-2">
        {leaks > 0 && (
          <Checkbox
            name="allowLeaks"
            required
            label={`Freeze despite ${leaks} leaking pairs`}
            hint="Test scores on this split are too high. The card states the number of pairs."
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

interface TableFormProps {
  slug: string;
  /** Query of the plan: the choices besides the table. */
  plan: string;
  isGiven: boolean;
}

/** A split made elsewhere: a file, or rows pasted from a spreadsheet. */
export function TableForm({ slug, plan, isGiven }: TableFormProps) {
  const router = useRouter();
  const [error, setError] = useState('');
  const [isSent, setSent] = useState(false);

  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get('file');
    setSent(true);
    const answer = await fetch(`/api/v1/projects/${slug}/split-tables`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: file instanceof File && file.size > 0 ? file : String(form.get('pasted') ?? ''),
    }).catch(() => null);
    const said = (await answer?.json().catch(() => null)) as { sha256?: string; detail?: string } | null;
    setSent(false);
    if (!answer?.ok || !said?.sha256) {
      setError(said?.detail ?? 'The server did not respond. Try again in a moment.');
      return;
    }
    setError('');
    const query = new URLSearchParams(plan);
    query.set('split', 'file');
    query.set('table', said.sha256);
    router.replace(`/projects/${slug}/data/freeze?${query}`, { scroll: false });
  };

  return (
    <form onSubmit={send} className="flex flex-col gap-3">
      <Field
        label="Table"
        hint="Separated by commas, semicolons or tabs. Each row contains the name of an image and its split."
      >
        {(control) => (
          <Input
            {...control}
            type="file"
            name="file"
            className="leading-6"
            accept=".csv,.tsv,.txt,text/csv"
          />
        )}
      </Field>
      <Field label="Or paste rows" optional>
        {(control) => (
          <Textarea
            {...control}
            name="pasted"
            rows={4}
            placeholder={'dog_0001.jpg,train\ndog_0002.jpg,test'}
          />
        )}
      </Field>
      <FormError>{error}</FormError>
      <div>
        <Button type="submit" pending={isSent}>
          {isGiven ? 'Use another table' : 'Use this table'}
        </Button>
      </div>
    </form>
  );
}
