'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { askAuth } from '@/app/_shell/ask-auth';
import { database } from '@/db';
import { scopeIds } from '@/lib/auth';
import { createKey, revokeKey } from '@/lib/auth/keys';
import { requireRight } from '@/lib/auth/page';
import { revokeOtherSessions, revokeSession } from '@/lib/auth/sessions';
import { invalid, TesseraError } from '@/lib/errors';

const dayMs = 86_400_000;

const Name = z.object({
  name: z.string().trim().min(1, 'Write your name.').max(100, 'At most 100 characters.'),
});

const Passwords = z.object({
  currentPassword: z.string().min(1, 'Write your present password.').max(128),
  newPassword: z.string().min(10, 'Use at least 10 characters.').max(128, 'At most 128 characters.'),
});

/** better-auth answers for the account itself; what it refuses becomes words beside the form. */
async function ask(path: `/${string}`, body: Record<string, unknown>, refusal: string): Promise<void> {
  const answer = await askAuth(path, body);
  if (answer.ok) return;
  if (answer.status >= 500) throw new Error(`${path} failed: ${answer.status}`);
  if (answer.status === 429) throw new TesseraError('rate-limited', 'Too many attempts. Wait a few minutes.');
  throw invalid(refusal);
}

export const changeName = action([Before, Form], async (_before, form): Promise<FormState> => {
  await requireRight('account.manage');
  const state = await submitForm(Name, form, (input) =>
    ask('/update-user', input, 'The name was not accepted. Choose another one.'),
  );
  revalidatePath('/', 'layout');
  return state;
});

export const changePassword = action([Before, Form], async (_before, form): Promise<FormState> => {
  await requireRight('account.manage');
  const state = await submitForm(Passwords, form, (input) =>
    ask(
      '/change-password',
      { ...input, revokeOtherSessions: true },
      'The present password is wrong. Write it again; nothing was changed.',
    ),
  );
  revalidatePath('/', 'layout');
  return state;
});

export const endSession = action([Id], async (sessionId): Promise<string | undefined> => {
  const actor = await requireRight('account.manage');
  const { error } = await refusalOf(() => revokeSession(database(), actor, sessionId));
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
  const { error } = await refusalOf(() => revokeKey(database(), actor, keyId));
  revalidatePath('/', 'layout');
  return error;
});
