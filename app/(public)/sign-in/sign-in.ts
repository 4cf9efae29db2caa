'use server';

import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { submitExplained } from '@/app/_i18n/explain-error';
import { askAuth } from '@/app/_shell/ask-auth';
import { signInAddress } from '@/lib/services/accounts';
import { localPath } from '../local-path';

const Input = z.object({
  email: z.string().transform(signInAddress).pipe(z.email().max(254)),
  password: z.string().min(1).max(128),
});

export const signIn = action([Before, Form], async (_before, form): Promise<FormState> => {
  const t = await getTranslations('errors');
  let status = 200;
  const refused = await submitExplained(Input, form, async (input) => {
    const answer = await askAuth('/sign-in/email', input);
    if (answer.status >= 500) throw new Error(`Signing in failed: ${answer.status}`);
    status = answer.status;
  });
  if (status === 429) return { error: t('tooMany') };
  // The same words for an unknown address, a wrong password and a disabled account.
  if (status >= 400 || refused.fields?.password) return { error: t('wrongSignIn') };
  if (refused.error) return { error: t('checkFields'), fields: { email: t('fields.signInName') } };
  redirect(localPath(form.get('next')));
});
