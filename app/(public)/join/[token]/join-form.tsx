'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
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
  const t = useTranslations('join');
  return (
    <>
      <ActionForm action={action} className="flex flex-col gap-4">
        <FormError>{state.error}</FormError>
        {isPseudonymous ? (
          <PseudonymField error={state.fields?.pseudonym} />
        ) : (
          <AddressFields email={email} errors={state.fields ?? {}} />
        )}
        <Field label={t('password')} error={state.fields?.password} hint={t('passwordHint')}>
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
        <SubmitButton className={tall}>{t('submit')}</SubmitButton>
        {mayBePseudonymous && (
          <Button variant="quiet" className="self-start" onClick={() => setPseudonymous(!isPseudonymous)}>
            {isPseudonymous ? t('useEmail') : t('usePseudonym')}
          </Button>
        )}
      </ActionForm>
      <p className="text-ink-2">
        {t.rich('haveAccount', {
          link: (text) => (
            <Link
              href={`/sign-in?next=${encodeURIComponent(`/join/${token}`)}`}
              className="text-accent underline"
            >
              {text}
            </Link>
          ),
        })}
      </p>
    </>
  );
}

function PseudonymField({ error }: { error: string | undefined }) {
  const t = useTranslations('join');
  return (
    <Field label={t('pseudonym')} error={error} hint={t('pseudonymHint')}>
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
  const t = useTranslations('join');
  return (
    <>
      <Field label={t('name')} error={errors.name} hint={t('nameHint')}>
        {(control) => (
          <Input {...control} name="name" autoComplete="name" required maxLength={100} className={tall} />
        )}
      </Field>
      <Field label={t('email')} error={errors.email} hint={email ? t('emailFixed') : t('emailHint')}>
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
