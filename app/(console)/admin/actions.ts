'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { authorise, createKey, requireGrant } from '@/lib/services/access';
import { requireRight } from '@/lib/services/access/page';
import { createInvitation, revokeInvitation, updateUser } from '@/lib/services/accounts';
import { removeTrainer, TrainerFacts } from '@/lib/services/training/trainers/list-trainers';

const Change = z.strictObject({
  userId: z.uuid(),
  isAdmin: z.boolean().optional(),
  isDisabled: z.boolean().optional(),
});

/** Resolves to what hinders the change, or to nothing. */
export const changeUser = action([Change], async (given): Promise<string | undefined> => {
  const actor = await requireRight('users.manage');
  const { userId, ...change } = given;
  const { error } = await refusalOf(async () => {
    await updateUser(database(), actor, userId, change);
  });
  revalidatePath('/admin/users');
  return error;
});

const dayMs = 86_400_000;

const Input = z.object({
  /** A project's short name; empty for an admin of the instance. */
  project: z.string().max(63),
  email: z.union([z.literal(''), z.email('Write the whole address, or leave it empty.').max(254)]),
  seats: z.coerce
    .number('Write a number.')
    .int('Write a whole number.')
    .min(1, 'At least 1.')
    .max(10_000, 'At most 10 000.'),
  days: z.coerce.number().int().min(1).max(365),
});
const Roles = z.array(z.enum(roles));

type MadeInvitation = FormState & { link?: string };

export const invite = action([Before, Form], async (_before, form): Promise<MadeInvitation> => {
  const actor = await requireRight('users.manage');
  const chosen = Roles.parse(form.getAll('roles'));
  let link: string | undefined;
  const state = await submitForm(Input, form, async ({ project: slug, email, seats, days }) => {
    const access = slug ? await authorise(database(), actor, 'members.manage', { project: slug }) : null;
    if (access) requireGrant(actor, access, chosen);
    const { token } = await createInvitation(database(), actor, {
      projectId: access?.project.id ?? null,
      roles: access ? chosen : [],
      makesAdmin: access === null,
      email: email || null,
      seats,
      expiresAt: new Date(Date.now() + days * dayMs),
    });
    link = `${readConfig().url}/join/${token}`;
  });
  revalidatePath('/admin/invitations');
  return { ...state, link };
});

export const withdraw = action([Id], async (invitationId): Promise<string | undefined> => {
  const actor = await requireRight('users.manage');
  const { error } = await refusalOf(() => revokeInvitation(database(), actor, { invitationId }));
  revalidatePath('/admin/invitations');
  return error;
});

const NewWorker = z.object({
  name: TrainerFacts.shape.name,
  days: z.coerce.number().int().min(0).max(3650),
});

type AddedWorker = FormState & { command?: string };

/** Makes a key that can do nothing but train, and the command that uses it. The key is shown once. */
export const addWorker = action([Before, Form], async (_before, form): Promise<AddedWorker> => {
  await requireRight('trainers.manage');
  const actor = await requireRight('account.manage');
  let command: string | undefined;
  const state = await submitForm(NewWorker, form, async ({ name, days }) => {
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * dayMs);
    const { key } = await createKey(database(), actor, {
      name: `worker ${name}`,
      scopes: ['trainers'],
      expiresAt,
    });
    command = `TESSERA_KEY=${key} npx tessera worker --gpu --server ${readConfig().url} --name ${name}`;
  });
  return { ...state, command };
});

/** Resolves to what hinders it, or to nothing. */
export const removeWorker = action([Id], async (id): Promise<string | undefined> => {
  const actor = await requireRight('trainers.manage');
  const { error } = await refusalOf(() => removeTrainer(database(), actor, id));
  revalidatePath('/admin/workers');
  return error;
});
