'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { resumeRun, startRun, startTakingBack } from '@/lib/curation/consensus/start-run';

const Slug = z.string().min(1).max(80);
const Chosen = z.strictObject({ stageId: z.uuid(), method: z.string().max(80) });

export async function buildConsensus(slug: string, chosen: z.input<typeof Chosen>): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'consensus.write');
  const input = Chosen.parse(chosen);
  const state = await refusalOf(async () => {
    await startRun(database(), actor, { projectId: project.id, ...input });
  });
  revalidatePath(`/projects/${project.slug}/agreement`);
  return state;
}

const acts = { resume: resumeRun, 'take-back': startTakingBack };

export async function actOnRun(slug: string, runId: string, act: 'resume' | 'take-back'): Promise<FormState> {
  const { actor, project } = await pageProject(Slug.parse(slug), 'consensus.write');
  const work = acts[z.enum(['resume', 'take-back']).parse(act)];
  const state = await refusalOf(async () => {
    await work(database(), actor, { projectId: project.id, runId: z.uuid().parse(runId) });
  });
  revalidatePath(`/projects/${project.slug}/agreement`);
  return state;
}
