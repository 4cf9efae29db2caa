'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Plain, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { GuideText, saveGuide } from '@/lib/services/crowd/guide';

const Saved = z.strictObject({ stageId: z.uuid(), target: z.string().max(80), text: GuideText });

export const saveText = action([Slug, Plain], async (slug, input): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const parsed = Saved.safeParse(input);
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? 'Something is missing.' };
  const state = await refusalOf(async () => {
    await saveGuide(database(), actor, { projectId: project.id, ...parsed.data });
  });
  revalidatePath(`/projects/${project.slug}/crowd/guide`);
  return state;
});
