'use client';

import { useActionState } from 'react';
import { signOut } from '@/app/_shell/sign-out';
import { Button } from '@/app/_ui/button';
import { ActionForm, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { joinAsMe } from './join';

export function JoinAsMe({ token, name, email }: { token: string; name: string; email: string }) {
  const [state, action] = useActionState(joinAsMe.bind(null, token), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4">
      <p className="text-ink-2">
        You are signed in as <strong className="font-medium text-ink">{name}</strong>
        {email !== '' && email !== name && ` (${email})`}.
      </p>
      <FormError>{state.error}</FormError>
      <div className="flex gap-2">
        <SubmitButton>Join</SubmitButton>
        <Button variant="quiet" onClick={() => void signOut()}>
          Sign out to join as someone else
        </Button>
      </div>
    </ActionForm>
  );
}
