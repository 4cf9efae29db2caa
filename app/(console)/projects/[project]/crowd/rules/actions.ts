'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { switchRulesOn } from '@/lib/services/crowd/rules/switch-rules-on';

const Chosen = z.strictObject({
  after: z.number().int().min(0),
  rules: z.array(z.strictObject({ id: z.string(), params: z.record(z.string(), z.number()) })).max(100),
});

export const switchOn = action([Slug, Chosen], async (slug, chosen): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'crowd.manage');
  const input = chosen;
  const state = await refusalOf(async () => {
    await switchRulesOn(database(), actor, { projectId: project.id, ...input });
  });
  if (state.error) return state;
  const path = `/projects/${project.slug}/crowd/rules`;
  revalidatePath(path);
  redirect(path);
});
