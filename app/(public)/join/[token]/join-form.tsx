'use client';

import Link from 'next/link';
import { useActionState } from 'react';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { joinWithNewAccount } from './join';

interface JoinFormProps {
  token: string;
  /** The only address that may accept, if the invitation names one. */
  email: string | null;
}

export function JoinForm({ token, email }: JoinFormProps) {
  const [state, action] = useActionState(joinWithNewAccount.bind(null, token), {});
  const tall = 'h-9';
  return (
    <>
      <ActionForm action={action} className="flex flex-col gap-4">
        <FormError>{state.error}</FormError>
        <Field label="Name" error={state.fields?.name} hint="Shown to the curators of your projects.">
          {(control) => (
            <Input {...control} name="name" autoComplete="name" required maxLength={100} className={tall} />
          )}
        </Field>
        <Field
          label="E-mail"
          error={state.fields?.email}
          hint={email ? 'The invitation is for this address.' : 'You sign in with it.'}
        >
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              autoComplete="username"
              required
              defaultValue={email ?? ''}
              readOnly={email !== null}
              className={tall}
            />
          )}
        </Field>
        <Field label="Password" error={state.fields?.password} hint="At least 10 characters.">
          {(control) => (
            <Input
              {...control}
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={10}
              maxLength={128}
              className={tall}
            />
          )}
        </Field>
        <SubmitButton className={tall}>Make an account and join</SubmitButton>
      </ActionForm>
      <p className="text-ink-2">
        You have an account already?{' '}
        <Link
          href={`/sign-in?next=${encodeURIComponent(`/join/${token}`)}`}
          className="text-accent underline"
        >
          Sign in and join
        </Link>
      </p>
    </>
  );
}
