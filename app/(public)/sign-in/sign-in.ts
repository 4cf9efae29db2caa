'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { askAuth } from '@/app/_shell/ask-auth';
import { TesseraError } from '@/lib/errors';
import { signInAddress } from '@/lib/users';
import { localPath } from '../local-path';

const Input = z.object({
  email: z
    .string()
    .transform(signInAddress)
    .pipe(z.email('Write the whole address, name@example.org, or your pseudonym.').max(254)),
  password: z.string().min(1, 'Write your password.').max(128, 'Passwords have at most 128 characters.'),
});

/** The same words for an unknown address, a wrong password and a disabled account. */
function refusal(status: number): TesseraError {
  return status === 429
    ? new TesseraError('rate-limited', 'Too many attempts. Wait a few minutes, then try again.')
    : new TesseraError(
        'unauthenticated',
        'The e-mail address or pseudonym, or the password, is wrong. Check both and try again.',
      );
}

export const signIn = action([Before, Form], async (_before, form): Promise<FormState> => {
  const refused = await submitForm(Input, form, async (input) => {
    const answer = await askAuth('/sign-in/email', input);
    if (answer.status >= 500) throw new Error(`Signing in failed: ${answer.status}`);
    if (!answer.ok) throw refusal(answer.status);
  });
  if (refused.error) return refused;
  redirect(localPath(form.get('next')));
});
