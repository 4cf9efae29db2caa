'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { requireRight } from '@/lib/auth/page';
import { updateUser } from '@/lib/users';

const Change = z.strictObject({
  userId: z.uuid(),
  isAdmin: z.boolean().optional(),
  isDisabled: z.boolean().optional(),
});

/** Resolves to what hinders the change, or to nothing. */
export async function changeUser(given: z.input<typeof Change>): Promise<string | undefined> {
  const actor = await requireRight('users.manage');
  const { userId, ...change } = Change.parse(given);
  const { error } = await refusalOf(async () => {
    await updateUser(database(), actor, userId, change);
  });
  revalidatePath('/admin/users');
  return error;
}
