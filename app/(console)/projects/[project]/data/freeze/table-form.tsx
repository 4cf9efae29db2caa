'use client';

import { useRouter } from 'next/navigation';
import { type SubmitEvent, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Field, FormError, Input, Textarea } from '@/app/_ui/forms';

interface Props {
  slug: string;
  /** The address of the plan: what is chosen beside the table. */
  plan: string;
  isGiven: boolean;
}

/** A split that somebody made elsewhere: a file, or rows pasted from a spreadsheet. */
export function TableForm({ slug, plan, isGiven }: Props) {
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
      setError(said?.detail ?? 'The server did not answer. Try again in a moment.');
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
      <Field label="Table" hint="CSV, semicolons or tabs: the name of an image and its split in each row.">
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
      <Field label="or paste it" optional>
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
