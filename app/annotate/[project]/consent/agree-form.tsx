'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { ButtonLink } from '@/app/_ui/button';
import { ActionForm, Checkbox, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { agreeToText } from './actions';
import { PrintButton } from './print-button';

interface AgreeFormProps {
  project: string;
  textId: string;
  /** In which the text was shown, and the translations that were shown. */
  language: string;
  translationIds: readonly string[];
}

export function AgreeForm({ project, textId, language, translationIds }: AgreeFormProps) {
  const t = useTranslations('consent');
  const [state, action] = useActionState(agreeToText.bind(null, project), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4 print:hidden">
      <input type="hidden" name="textId" value={textId} />
      <input type="hidden" name="language" value={language} />
      <input type="hidden" name="translationIds" value={translationIds.join(' ')} />
      <FormError>{state.error}</FormError>
      <Checkbox name="isAdult" value="yes" required label={t('adult')} className="text-base" />
      <div className="flex flex-wrap gap-3">
        <SubmitButton size="large">{t('agree')}</SubmitButton>
        <ButtonLink href="/annotate" size="large">
          {t('notNow')}
        </ButtonLink>
        <PrintButton />
      </div>
    </ActionForm>
  );
}
