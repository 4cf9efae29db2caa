'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { withdraw } from '@/lib/crowd/consent';

export async function withdrawFrom(slug: string): Promise<string | undefined> {
  const { project, actor } = await pageProject(z.string().parse(slug), 'work.read');
  const { error } = await refusalOf(async () => {
    await withdraw(database(), actor, { projectId: project.id });
  });
  revalidatePath('/annotate', 'layout');
  return error;
}
