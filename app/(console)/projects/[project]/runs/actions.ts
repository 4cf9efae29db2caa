'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Before, Form, Id, Plain, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { Resume, resumeRun } from '@/lib/services/training/runs/resume-run';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { startCalibration } from '@/lib/services/training/trainers/calibration';

/** Measures how fast this machine trains networks of a preset. */
export const measure = action([Slug, z.string().min(1).max(80)], async (slug, preset): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'runs.write');
  const state = await refusalOf(async () => {
    await startCalibration(database(), actor, { preset: Slug.parse(preset), projectId: project.id });
  });
  revalidatePath(`/projects/${project.slug}/runs/new`);
  return state;
});

/** Starts the previewed run, or one run for each seed. */
export const start = action(
  [Slug, z.record(z.string(), Plain), Before, Form],
  async (slug, wanted, _, form): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'runs.write');
    const run = NewRun.safeParse({ ...(wanted as object), confirmed: form.get('confirmed') === 'on' });
    if (!run.success)
      return { error: 'These settings are not valid. Reload the page and select them again.' };
    let started: { id: string }[] = [];
    const state = await refusalOf(async () => {
      started = await startRuns(database(), actor, { projectId: project.id, run: run.data });
    });
    if (state.error) return state;
    const path = `/projects/${project.slug}/runs`;
    revalidatePath(path);
    redirect(started.length === 1 ? `${path}/${started[0]?.id}` : path);
  },
);

/** Resumes a run, with more minutes if it has used up its time limit. */
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
