'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { stopAsking } from '@/lib/services/evaluations/crowd/oracle-stage';

const Place = z.object({ slug: z.string().min(1).max(80), evaluationId: z.uuid() });

export const stopAskingPeople = action([Place], async (input): Promise<string | undefined> => {
  const { slug, evaluationId } = input;
  const { actor, project } = await pageProject(slug, 'evaluations.write');
  const { error } = await refusalOf(async () => {
    await stopAsking(database(), actor, { projectId: project.id, evaluationId });
  });
  revalidatePath(`/projects/${project.slug}/evaluations/${evaluationId}`);
  return error;
});
