'use server';

import { revalidatePath } from 'next/cache';
import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { action, Before, Form, Id } from '@/app/_actions/action';
import { type FormState, submitForm } from '@/app/_actions/form-state';
import { explained, submitExplained } from '@/app/_i18n/explain-error';
import { askAuth } from '@/app/_shell/ask-auth';
import { database } from '@/db';
import { invalid, TesseraError } from '@/lib/core/errors';
import { createKey, revokeKey, scopeIds } from '@/lib/services/access';
import { requireRight } from '@/lib/services/access/page';
import { revokeOtherSessions, revokeSession } from '@/lib/services/access/sessions';

const dayMs = 86_400_000;

const Name = z.object({
  name: z.string().trim().min(1).max(100),
});

const Passwords = z.object({
  currentPassword: z.string().min(1).max(128),
  newPassword: z.string().min(10).max(128),
});

/** better-auth answers for the account itself; what it refuses becomes words beside the form. */
async function ask(
  path: `/${string}`,
  body: Record<string, unknown>,
  refusal: 'nameRefused' | 'wrongPassword',
): Promise<void> {
  const answer = await askAuth(path, body);
  if (answer.ok) return;
  if (answer.status >= 500) throw new Error(`${path} failed: ${answer.status}`);
  const t = await getTranslations('errors');
  if (answer.status === 429) throw new TesseraError('rate-limited', t('tooMany'));
  throw invalid(t(refusal));
}

export const changeName = action([Before, Form], async (_before, form): Promise<FormState> => {
  await requireRight('account.manage');
  const state = await submitExplained(Name, form, (input) => ask('/update-user', input, 'nameRefused'));
  revalidatePath('/', 'layout');
  return state;
});

export const changePassword = action([Before, Form], async (_before, form): Promise<FormState> => {
  await requireRight('account.manage');
  const state = await submitExplained(Passwords, form, (input) =>
    ask('/change-password', { ...input, revokeOtherSessions: true }, 'wrongPassword'),
  );
  revalidatePath('/', 'layout');
  return state;
});

export const endSession = action([Id], async (sessionId): Promise<string | undefined> => {
  const actor = await requireRight('account.manage');
  const { error } = await explained(() => revokeSession(database(), actor, sessionId));
  revalidatePath('/', 'layout');
  return error;
});

export const endOtherSessions = action([], async (): Promise<string | undefined> => {
  const actor = await requireRight('account.manage');
  await revokeOtherSessions(database(), actor);
  revalidatePath('/', 'layout');
  return undefined;
});

const NewKey = z.object({
  name: z.string().trim().min(1, 'Give the key a name.').max(100, 'At most 100 characters.'),
  days: z.coerce.number().int().min(0).max(3650),
});
const Scopes = z.array(z.enum(scopeIds)).min(1);

export type MadeKey = FormState & { key?: string };

export const makeKey = action([Before, Form], async (_before, form): Promise<MadeKey> => {
  const actor = await requireRight('account.manage');
  const scopes = Scopes.safeParse(form.getAll('scopes'));
  if (!scopes.success) return { error: 'Choose what the key may do: at least one line.' };
  let key: string | undefined;
  const state = await submitForm(NewKey, form, async ({ name, days }) => {
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs);
    ({ key } = await createKey(database(), actor, { name, scopes: scopes.data, expiresAt }));
  });
  revalidatePath('/', 'layout');
  return { ...state, key };
});

export const endKey = action([Id], async (keyId): Promise<string | undefined> => {
  const actor = await requireRight('account.manage');
  const { error } = await explained(() => revokeKey(database(), actor, keyId));
  revalidatePath('/', 'layout');
  return error;
});
