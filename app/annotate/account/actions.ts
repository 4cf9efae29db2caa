'use server';

import { revalidatePath } from 'next/cache';
import { action, Slug } from '@/app/_actions/action';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { withdraw } from '@/lib/crowd/consent';

export const withdrawFrom = action([Slug], async (slug): Promise<string | undefined> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  const { error } = await refusalOf(async () => {
    await withdraw(database(), actor, { projectId: project.id });
  });
  revalidatePath('/annotate', 'layout');
  return error;
});
