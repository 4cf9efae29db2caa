'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { updateUser } from '@/lib/services/accounts';

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
