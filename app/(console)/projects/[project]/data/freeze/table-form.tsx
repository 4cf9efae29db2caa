'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { giveTable } from './actions';

/** A split that somebody made elsewhere: a file, or rows pasted from a spreadsheet. */
export function TableForm({ slug, images, isGiven }: { slug: string; images: string; isGiven: boolean }) {
  const [state, action] = useActionState(giveTable.bind(null, slug, images), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <Field label="Table" hint="CSV, semicolons or tabs: the name of an image and its part in each row.">
        {(control) => <Input {...control} type="file" name="file" accept=".csv,.tsv,.txt,text/csv" />}
      </Field>
      <Field label="or paste it" optional>
        {(control) => (
          <Textarea {...control} name="pasted" rows={4} placeholder={'dog_0001.jpg,train\ndog_0002.jpg,test'} />
        )}
      </Field>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton variant="secondary">{isGiven ? 'Use another table' : 'Use this table'}</SubmitButton>
      </div>
    </ActionForm>
  );
}
