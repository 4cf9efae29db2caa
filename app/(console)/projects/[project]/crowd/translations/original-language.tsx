'use client';

import { useActionState } from 'react';
import { ActionForm, Field, FormError, Select } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { languageName, locales } from '@/lib/core/i18n/locales';
import { changeOriginal } from './actions';

interface OriginalLanguageProps {
  slug: string;
  language: string;
  readOnly: boolean;
}

export function OriginalLanguage({ slug, language, readOnly }: OriginalLanguageProps) {
  const [state, action] = useActionState(changeOriginal.bind(null, slug), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-3">
      <Field label="Language" error={state.fields?.language}>
        {(control) => (
          <Select
            {...control}
            name="language"
            defaultValue={language}
            disabled={readOnly}
            options={locales.map((value) => ({ value, label: languageName(value, 'en') }))}
          />
        )}
      </Field>
      <FormError>{state.error}</FormError>
      <div>
        <SubmitButton disabled={readOnly}>Save</SubmitButton>
      </div>
    </ActionForm>
  );
}
