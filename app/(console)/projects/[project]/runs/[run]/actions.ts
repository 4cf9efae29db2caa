'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { Resume, resumeRun } from '@/lib/training/runs/resume-run';

const Slug = z.string().min(1).max(80);

/** With more minutes, where the run has used up those it was given. */
export async function resume(slug: string, runId: string, wallMinutes?: number): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'runs.write');
  const state = await refusalOf(async () => {
    await resumeRun(database(), actor, {
      projectId: project.id,
      runId: z.uuid().parse(runId),
      ...Resume.parse({ wallMinutes }),
    });
  });
  revalidatePath(`/projects/${project.slug}/runs`, 'layout');
  return state;
}
