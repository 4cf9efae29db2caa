'use client';

import { useTranslations } from 'next-intl';
import { useActionState } from 'react';
import { ButtonLink } from '@/app/_ui/button';
import { ActionForm, Checkbox, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import { agreeToText } from './actions';
import { PrintButton } from './print-button';

export function AgreeForm({ project, textId }: { project: string; textId: string }) {
  const t = useTranslations('consent');
  const [state, action] = useActionState(agreeToText.bind(null, project), {});
  return (
    <ActionForm action={action} className="flex flex-col gap-4 print:hidden">
      <input type="hidden" name="textId" value={textId} />
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
