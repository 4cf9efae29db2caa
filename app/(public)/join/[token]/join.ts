'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { askAuth } from '@/app/_shell/ask-auth';
import { database } from '@/db';
import { requireActor } from '@/lib/auth/page';
import { requestIdHeader } from '@/lib/auth/request-headers';
import { acceptInvitation, type NewAccount, Pseudonym, RealEmail } from '@/lib/users';

const Token = z.string().min(1).max(100);

const password = z.string().min(10, 'Use at least 10 characters.').max(128, 'At most 128 characters.');

const WithAddress = z.object({
  name: z.string().trim().min(1, 'Write your name.').max(100, 'At most 100 characters.'),
  email: RealEmail,
  password,
});

const UnderPseudonym = z.object({ pseudonym: Pseudonym, password });

export const joinWithNewAccount = action(
  [Token, Before, Form],
  async (token, _before, form): Promise<FormState> => {
    const requestId = (await headers()).get(requestIdHeader);
    const join = async (account: NewAccount) => {
      const { email } = await acceptInvitation(database(), token, { account, requestId });
      await askAuth('/sign-in/email', { email, password: account.password });
    };
    const refused = form.has('pseudonym')
      ? await submitForm(UnderPseudonym, form, join)
      : await submitForm(WithAddress, form, join);
    if (refused.error) return refused;
    redirect('/');
  },
);

export const joinAsMe = action([Token], async (token): Promise<FormState> => {
  const actor = await requireActor();
  const refused = await refusalOf(async () => {
    await acceptInvitation(database(), token, { actor });
  });
  if (refused.error) return refused;
  redirect('/');
});
