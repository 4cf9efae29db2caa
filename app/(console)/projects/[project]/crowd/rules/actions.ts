'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { switchRulesOn } from '@/lib/crowd/rules/switch-rules-on';

const Chosen = z.strictObject({
  after: z.number().int().min(0),
  rules: z.array(z.strictObject({ id: z.string(), params: z.record(z.string(), z.number()) })).max(100),
});

export async function switchOn(slug: string, chosen: z.input<typeof Chosen>): Promise<FormState> {
  const { actor, project } = await pageProject(z.string().max(80).parse(slug), 'crowd.manage');
  const input = Chosen.parse(chosen);
  const state = await refusalOf(async () => {
    await switchRulesOn(database(), actor, { projectId: project.id, ...input });
  });
  if (state.error) return state;
  const path = `/projects/${project.slug}/crowd/rules`;
  revalidatePath(path);
  redirect(path);
}
