'use client';

import { useTranslations } from 'next-intl';
import { useActionState, useState } from 'react';
import { ButtonLink } from '@/app/_ui/button';
import { ActionForm, Field, FormError, Input, Select, Textarea } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { useUiText } from '@/app/_ui/ui-text';
import { MAX_INSTRUCTIONS, type PayeeDetails, type PayeeMethod } from '@/lib/core/payee';
import { saveOwnPayee } from './actions';

interface Props {
  slug: string;
  methods: readonly PayeeMethod[];
  details: PayeeDetails | null;
}

export function PayeeForm({ slug, methods, details }: Props) {
  const t = useTranslations('payee');
  const text = useUiText();
  const [state, action] = useActionState(saveOwnPayee.bind(null, slug), {});
  const first = methods.find((method) => method === details?.method) ?? methods[0];
  const [method, setMethod] = useState(first);
  return (
    <ActionForm action={action} className="flex flex-col gap-4" autoComplete="on">
      <FormError>{state.error}</FormError>
      <Field label={t('method')}>
        {(control) => (
          <Select
            {...control}
            name="method"
            value={method}
            onChange={(event) => setMethod(methods.find((each) => each === event.target.value))}
            options={methods.map((each) => ({ value: each, label: t(`methods.${each}`) }))}
          />
        )}
      </Field>
      <Field label={t('name')} hint={t('nameHint')} error={state.fields?.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            dir="auto"
            defaultValue={details?.name}
            autoComplete="name"
            required
            maxLength={100}
          />
        )}
      </Field>
      {method === 'bank' && (
        <BankFields fields={state.fields} details={details?.method === 'bank' ? details : null} />
      )}
      {method === 'paypal' && (
        <Field label={t('email')} error={state.fields?.email}>
          {(control) => (
            <Input
              {...control}
              name="email"
              type="email"
              dir="ltr"
              defaultValue={details?.method === 'paypal' ? details.email : undefined}
              autoComplete="email"
              required
              maxLength={254}
            />
          )}
        </Field>
      )}
      {method === 'other' && (
        <Field label={t('instructions')} hint={t('instructionsHint')} error={state.fields?.instructions}>
          {(control) => (
            <Textarea
              {...control}
              name="instructions"
              dir="auto"
              defaultValue={details?.method === 'other' ? details.instructions : undefined}
              required
              rows={5}
              maxLength={MAX_INSTRUCTIONS}
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="large">{t('save')}</SubmitButton>
        <ButtonLink href="/annotate/account" size="large">
          {text.cancel}
        </ButtonLink>
      </div>
    </ActionForm>
  );
}

interface BankProps {
  fields: Record<string, string> | undefined;
  details: Extract<PayeeDetails, { method: 'bank' }> | null;
}

function BankFields({ fields, details }: BankProps) {
  const t = useTranslations('payee');
  return (
    <>
      <Field label={t('account')} hint={t('accountHint')} error={fields?.account}>
        {(control) => (
          <Input
            {...control}
            name="account"
            dir="ltr"
            defaultValue={details?.account}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={42}
          />
        )}
      </Field>
      <Field optional label={t('bankCode')} hint={t('bankCodeHint')} error={fields?.bankCode}>
        {(control) => (
          <Input
            {...control}
            name="bankCode"
            dir="ltr"
            defaultValue={details?.bankCode}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={20}
          />
        )}
      </Field>
    </>
  );
}
