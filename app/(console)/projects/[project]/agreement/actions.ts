'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { resumeRun, startRun, startTakingBack } from '@/lib/services/curation/consensus/start-run';

const Chosen = z.strictObject({ stageId: z.uuid(), method: z.string().max(80) });

export const buildConsensus = action([Slug, Chosen], async (slug, chosen): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'consensus.write');
  const input = chosen;
  const state = await refusalOf(async () => {
    await startRun(database(), actor, { projectId: project.id, ...input });
  });
  revalidatePath(`/projects/${project.slug}/agreement`);
  return state;
});

const acts = { resume: resumeRun, 'take-back': startTakingBack };

export const actOnRun = action(
  [Slug, Id, z.enum(['resume', 'take-back'])],
  async (slug, runId, act): Promise<FormState> => {
    const { actor, project } = await pageProject(slug, 'consensus.write');
    const work = acts[act];
    const state = await refusalOf(async () => {
      await work(database(), actor, { projectId: project.id, runId });
    });
    revalidatePath(`/projects/${project.slug}/agreement`);
    return state;
  },
);
