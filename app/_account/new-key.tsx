'use client';

import { Plus } from 'lucide-react';
import { useActionState } from 'react';
import { Button } from '@/app/_ui/button';
import { CreatedValue } from '@/app/_ui/created-value';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Checkbox, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { makeKey } from './actions';

interface NewKeyProps {
  scopes: { id: string; description: string }[];
}

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'No end' },
];

function NewKeyForm({ scopes }: NewKeyProps) {
  const [state, action] = useActionState(makeKey, {});
  if (state.key) return <CreatedValue label="Your new key" value={state.key} />;
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <FormError>{state.error}</FormError>
      <Field label="Name" hint="Its purpose: “nightly export on lab-3”." error={state.fields?.name}>
        {(control) => <Input {...control} name="name" required maxLength={100} autoComplete="off" />}
      </Field>
      <Field label="Valid for">
        {(control) => (
          <Select {...control} name="days" defaultValue="90" options={lifetimes} className="w-40" />
        )}
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-xs font-medium text-ink-2">Rights</legend>
        {scopes.map((scope) => (
          <Checkbox
            key={scope.id}
            name="scopes"
            value={scope.id}
            label={scope.id}
            hint={scope.description}
            defaultChecked={scope.id === 'read'}
          />
        ))}
      </fieldset>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Create key</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}

/** The form is mounted each time the dialog opens, so a key is never shown again. */
export function NewKey({ scopes }: NewKeyProps) {
  return (
    <Dialog title="New API key" trigger={<Button icon={<Plus aria-hidden />}>New key</Button>}>
      <NewKeyForm scopes={scopes} />
    </Dialog>
  );
}
