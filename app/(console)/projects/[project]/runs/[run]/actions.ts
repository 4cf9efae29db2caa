'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { Resume, resumeRun } from '@/lib/services/training/runs/resume-run';

/** With more minutes, where the run has used up those it was given. */
export const resume = action(
  [Slug, Id, z.number().optional()],
  async (slug, runId, wallMinutes): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'runs.write');
    const state = await refusalOf(async () => {
      await resumeRun(database(), actor, {
        projectId: project.id,
        runId,
        ...Resume.parse({ wallMinutes }),
      });
    });
    revalidatePath(`/projects/${project.slug}/runs`, 'layout');
    return state;
  },
);
