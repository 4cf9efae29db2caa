'use client';

import Link from 'next/link';
import { useActionState, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ActionForm, Field, FormError, Input } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { joinWithNewAccount } from './join';

interface JoinFormProps {
  token: string;
  /** The only address that may accept, if the invitation names one. */
  email: string | null;
  /** Workers may leave their address out. */
  mayBePseudonymous: boolean;
}

const tall = 'h-9';

export function JoinForm({ token, email, mayBePseudonymous }: JoinFormProps) {
  const [state, action] = useActionState(joinWithNewAccount.bind(null, token), {});
  const [isPseudonymous, setPseudonymous] = useState(false);
  return (
    <>
      <ActionForm action={action} className="flex flex-col gap-4">
        <FormError>{state.error}</FormError>
        {isPseudonymous ? (
          <PseudonymField error={state.fields?.pseudonym} />
        ) : (
          <AddressFields email={email} errors={state.fields ?? {}} />
        )}
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
        {mayBePseudonymous && (
          <Button variant="quiet" className="self-start" onClick={() => setPseudonymous(!isPseudonymous)}>
            {isPseudonymous ? 'Give an address after all' : 'Join under a pseudonym instead'}
          </Button>
        )}
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

function PseudonymField({ error }: { error: string | undefined }) {
  return (
    <Field
      label="Pseudonym"
      error={error}
      hint="You sign in with it, and the curators see it. Keep the password safe: without an address nobody can send you a new one."
    >
      {(control) => (
        <Input
          {...control}
          name="pseudonym"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          minLength={3}
          maxLength={40}
          className={tall}
        />
      )}
    </Field>
  );
}

function AddressFields({ email, errors }: { email: string | null; errors: Record<string, string> }) {
  return (
    <>
      <Field label="Name" error={errors.name} hint="Shown to the curators of your projects.">
        {(control) => (
          <Input {...control} name="name" autoComplete="name" required maxLength={100} className={tall} />
        )}
      </Field>
      <Field
        label="E-mail"
        error={errors.email}
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
    </>
  );
}
