'use client';

import { Plus } from 'lucide-react';
import { useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { CreatedValue } from '@/app/_ui/created-value';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Checkbox, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { invite, withdraw } from '../actions';

interface NewInvitationProps {
  projects: { slug: string; name: string }[];
}

const roles = [
  { value: 'curator', hint: 'Is responsible for the quality of the project.' },
  { value: 'researcher', hint: 'Exports, trains and evaluates.' },
  { value: 'worker', hint: 'Annotates images; has no access to the console.' },
];

const lifetimes = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
];

function NewInvitationForm({ projects }: NewInvitationProps) {
  const [state, action] = useActionState(invite, {});
  const [project, setProject] = useState(projects[0]?.slug ?? '');
  if (state.link) return <CreatedValue label="Send this link" value={state.link} />;
  const choices = [
    ...projects.map(({ slug, name }) => ({ value: slug, label: name })),
    { value: '', label: 'The whole instance, as admin' },
  ];
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <FormError>{state.error}</FormError>
      <Field label="Access to">
        {(control) => (
          <Select
            {...control}
            name="project"
            options={choices}
            value={project}
            onChange={(event) => setProject(event.target.value)}
          />
        )}
      </Field>
      {project && (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1 text-xs font-medium text-ink-2">Roles</legend>
          {roles.map(({ value, hint }) => (
            <Checkbox
              key={value}
              name="roles"
              value={value}
              label={value}
              hint={hint}
              defaultChecked={value === 'worker'}
            />
          ))}
        </fieldset>
      )}
      <Field
        label="Restrict to e-mail address"
        optional
        hint="Without an address, anyone with the link can join."
        error={state.fields?.email}
      >
        {(control) => <Input {...control} name="email" type="email" autoComplete="off" />}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Number of people" error={state.fields?.seats}>
          {(control) => (
            <Input {...control} name="seats" type="number" min={1} max={10_000} defaultValue={1} />
          )}
        </Field>
        <Field label="Valid for">
          {(control) => <Select {...control} name="days" options={lifetimes} defaultValue="7" />}
        </Field>
      </div>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Create link</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}

/** The form is mounted each time the dialog opens, so a link is never shown again. */
export function NewInvitation({ projects }: NewInvitationProps) {
  return (
    <Dialog
      title="New invitation"
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          New invitation
        </Button>
      }
    >
      <NewInvitationForm projects={projects} />
    </Dialog>
  );
}

export function WithdrawInvitation({ id }: { id: string }) {
  return (
    <ConfirmDialog
      danger
      title="Revoke this invitation?"
      confirm="Revoke"
      onConfirm={() => withdraw(id)}
      trigger={
        <Button variant="quiet" size="small">
          Revoke
        </Button>
      }
    >
      The link stops working. People who have joined keep their access.
    </ConfirmDialog>
  );
}
