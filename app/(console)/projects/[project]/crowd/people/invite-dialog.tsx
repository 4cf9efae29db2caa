'use client';

import { UserPlus } from 'lucide-react';
import { useActionState } from 'react';
import { Button } from '@/app/_ui/button';
import { CreatedValue } from '@/app/_ui/created-value';
import { Dialog, DialogClose, DialogFooter } from '@/app/_ui/dialog';
import { Field, FormError, Input, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { LinkLimits } from '../link-limits';
import { invite } from './actions';

type Props = { slug: string; mayInviteCurators: boolean };

export function InviteDialog({ slug, mayInviteCurators }: Props) {
  return (
    <Dialog
      trigger={
        <Button variant="primary" icon={<UserPlus aria-hidden />}>
          Invite
        </Button>
      }
      title="Invite to this project"
    >
      <InviteForm slug={slug} mayInviteCurators={mayInviteCurators} />
    </Dialog>
  );
}

function InviteForm({ slug, mayInviteCurators }: Props) {
  const [state, action] = useActionState(invite.bind(null, slug), {});
  if (state.link) return <CreatedValue label="Invitation link" value={state.link} />;
  const roles = ['worker', 'researcher', ...(mayInviteCurators ? ['curator'] : [])];
  return (
    <form action={action} className="flex flex-col gap-4">
      <Field label="Role" error={state.fields?.role}>
        {(control) => (
          <Select {...control} name="role" options={roles.map((role) => ({ value: role, label: role }))} />
        )}
      </Field>
      <Field
        label="E-mail"
        optional
        error={state.fields?.email}
        hint="With an address, only its owner can join. Without one, anyone with the link can."
      >
        {(control) => <Input {...control} name="email" type="email" autoComplete="off" />}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <LinkLimits seats={1} errors={state.fields} />
      </div>
      <FormError>{state.error}</FormError>
      <DialogFooter>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <SubmitButton>Create link</SubmitButton>
      </DialogFooter>
    </form>
  );
}
