'use server';

import { revalidatePath } from 'next/cache';
import { action, Slug } from '@/app/_actions/action';
import { explained } from '@/app/_i18n/explain-error';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { withdraw } from '@/lib/services/crowd/consent';

export const withdrawFrom = action([Slug], async (slug): Promise<string | undefined> => {
  const { project, actor } = await pageProject(slug, 'work.read');
  const { error } = await explained(async () => {
    await withdraw(database(), actor, { projectId: project.id });
  });
  revalidatePath('/annotate', 'layout');
  return error;
});
