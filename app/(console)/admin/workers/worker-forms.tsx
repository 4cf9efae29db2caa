'use client';

import { Plus } from 'lucide-react';
import { useActionState } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { CreatedValue } from '@/app/_ui/created-value';
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
        On the other machine, run <code>npm ci</code> and <code>npx tessera trainer install</code> in a
        checkout of Tessera, then the command below. The machine appears in the list within seconds and takes
        runs that are started with “elsewhere”.
      </p>
      <CreatedValue label="Command for the other machine" value={command} />
    </div>
  );
}

function AddWorkerForm({ server }: { server: string }) {
  const [state, action] = useActionState(addWorker, {});
  if (state.command) return <Made command={state.command} />;
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <p className="text-ink-2">
        A machine needs Node.js, Python with PyTorch, and HTTP access to {server}. It needs no database,
        shared disk or open port, because it requests runs itself.
      </p>
      {isOnlyHere(server) && (
        <p className="text-warn">
          Other machines cannot reach {server}. Start Tessera with HOST and TESSERA_URL set to an address that
          they can reach.
        </p>
      )}
      <FormError>{state.error}</FormError>
      <Field label="Name" hint="Displayed name; unique for each machine." error={state.fields?.name}>
        {(control) => (
          <Input {...control} name="name" required maxLength={63} placeholder="gpu-1" autoComplete="off" />
        )}
      </Field>
      <Field
        label="Key valid for"
        hint="The key can only be used for training. You can revoke it under Account."
      >
        {(control) => (
          <Select {...control} name="days" defaultValue="365" options={lifetimes} className="w-40" />
        )}
      </Field>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Create command</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}

/** The form is mounted each time the dialog opens, so a key is never shown again. */
export function AddWorker({ server }: { server: string }) {
  return (
    <Dialog
      title="Add a machine"
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
