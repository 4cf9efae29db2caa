'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form } from '@/app/_actions/action';
import type { FormState } from '@/app/_actions/form-state';
import { explained, submitExplained } from '@/app/_i18n/explain-error';
import { askAuth } from '@/app/_shell/ask-auth';
import { database } from '@/db';
import { requireActor } from '@/lib/services/access/page';
import { requestIdHeader } from '@/lib/services/access/request-headers';
import { acceptInvitation, type NewAccount, Pseudonym, RealEmail } from '@/lib/services/accounts';

const Token = z.string().min(1).max(100);

const password = z.string().min(10).max(128);

const WithAddress = z.object({
  name: z.string().trim().min(1).max(100),
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
      ? await submitExplained(UnderPseudonym, form, join)
      : await submitExplained(WithAddress, form, join);
    if (refused.error) return refused;
    redirect('/');
  },
);

export const joinAsMe = action([Token], async (token): Promise<FormState> => {
  const actor = await requireActor();
  const refused = await explained(async () => {
    await acceptInvitation(database(), token, { actor });
  });
  if (refused.error) return refused;
  redirect('/');
});
