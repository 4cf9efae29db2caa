'use client';

import { Plus } from 'lucide-react';
import { useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { CopyField } from '@/app/_ui/copy-field';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { ActionForm, Field, FormError, Input, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { addWorker, removeWorker } from '../actions';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '0', label: 'No end' },
];

const isOnlyHere = (server: string): boolean => /^https?:\/\/(localhost|127\.)/.test(server);

function Made({ command }: { command: string }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">
        On the other machine, in a checkout of Tessera after <code>npm ci</code> and{' '}
        <code>npx tessera trainer install</code>. It appears in the list within seconds and takes runs that
        are started with “elsewhere”.
      </p>
      <CopyField once label="Start it there with" value={command} />
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogFooter>
    </div>
  );
}

function AddWorkerForm({ server }: { server: string }) {
  const [state, action] = useActionState(addWorker, {});
  if (state.command) return <Made command={state.command} />;
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <p className="text-ink-2">
        A machine needs Node.js, a Python with PyTorch, and a way to {server}. It needs no database, no shared
        disk and no open port: it asks for runs itself.
      </p>
      {isOnlyHere(server) && (
        <p className="text-warn">
          Other machines do not reach {server}: start Tessera with HOST and TESSERA_URL set to an address that
          they know.
        </p>
      )}
      <FormError>{state.error}</FormError>
      <Field
        label="Name"
        hint="What it is called here; one name for each machine."
        error={state.fields?.name}
      >
        {(control) => (
          <Input {...control} name="name" required maxLength={63} placeholder="gpu-1" autoComplete="off" />
        )}
      </Field>
      <Field
        label="Its key works for"
        hint="The key can train runs and nothing else. Revoke it under Account."
      >
        {(control) => (
          <Select {...control} name="days" defaultValue="365" options={lifetimes} className="w-40" />
        )}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Make the command</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}

/** The form is mounted each time the dialog opens, so a key is never shown again. */
export function AddWorker({ server }: { server: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      title="Add a machine"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant="primary" icon={<Plus aria-hidden />}>
          Add machine
        </Button>
      }
    >
      <AddWorkerForm server={server} />
    </Dialog>
  );
}

export function RemoveWorker({ id, name }: { id: string; name: string }) {
  return (
    <ConfirmDialog
      title={`Remove ${name} from the list?`}
      confirm="Remove"
      onConfirm={() => removeWorker(id)}
      trigger={
        <Button variant="quiet" size="small">
          Remove
        </Button>
      }
    >
      Its runs and models stay. If the machine is started again it appears again; revoke its key under Account
      to keep it out.
    </ConfirmDialog>
  );
}
