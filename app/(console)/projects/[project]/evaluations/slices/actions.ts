'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { deleteSlice } from '@/lib/services/images/slices';

const Input = z.object({ slug: z.string().min(1).max(80), sliceId: z.uuid() });

/** Returns an error message on failure. */
export const removeSlice = action([Slug, Id], async (slug, sliceId): Promise<string | undefined> => {
  const asked = Input.parse({ slug, sliceId });
  const { actor, project } = await pageProject(asked.slug, 'evaluations.write');
  const { error } = await refusalOf(() =>
    deleteSlice(database(), actor, { projectId: project.id, sliceId: asked.sliceId }),
  );
  revalidatePath(`/projects/${project.slug}/evaluations/slices`);
  return error;
});
