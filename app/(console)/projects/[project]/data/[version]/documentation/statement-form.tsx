'use client';

import { useActionState } from 'react';
import { Field, FormError, Input, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { type Statements, statementFields } from '@/lib/core/croissant/statements';
import { saveStatements } from './actions';

interface Props {
  slug: string;
  number: string;
  statements: Statements;
}

export function StatementForm({ slug, number, statements }: Props) {
  const [state, action] = useActionState(saveStatements.bind(null, slug, number), {});
  return (
    <form action={action} className="flex flex-col gap-4">
      {statementFields.map(({ name, label, hint, isRequired }) => (
        <Field key={name} label={label} hint={hint} optional={!isRequired} error={state.fields?.[name]}>
          {(control) =>
            name === 'url' ? (
              <Input
                {...control}
                key={statements[name]}
                name={name}
                type="url"
                maxLength={2000}
                placeholder="https://"
                defaultValue={statements[name]}
              />
            ) : (
              <Textarea
                {...control}
                key={statements[name]}
                name={name}
                rows={2}
                maxLength={4000}
                defaultValue={statements[name]}
              />
            )
          }
        </Field>
      ))}
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton>Save statements</SubmitButton>
      </div>
    </form>
  );
}
