'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Before, Form, Id } from '@/app/_actions/action';
import { type FormState, refusalOf, submitForm } from '@/app/_actions/form-state';
import { database } from '@/db';
import { readConfig } from '@/lib/config';
import { createKey } from '@/lib/services/access/keys';
import { requireRight } from '@/lib/services/access/page';
import { removeTrainer, TrainerFacts } from '@/lib/services/training/trainers/list-trainers';

const dayMs = 86_400_000;

const NewWorker = z.object({
  name: TrainerFacts.shape.name,
  days: z.coerce.number().int().min(0).max(3650),
});

export type AddedWorker = FormState & { command?: string };

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
