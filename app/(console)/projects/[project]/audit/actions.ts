'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Id, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database, newId } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { closeAudit, drawAudit, newSeed } from '@/lib/services/curation/audit/samples';
import { rateSoon } from '@/lib/services/jobs';

export const rateAnew = action([Slug], async (slug): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'audit.decide');
  const state = await refusalOf(async () => {
    await database().transaction((tx) =>
      rateSoon(tx, { projectId: project.id, all: true, startedBy: actor.userId }),
    );
  });
  revalidatePath(`/projects/${project.slug}/audit`);
  return state;
});

const Wanted = z.strictObject({
  stageId: z.uuid().nullable(),
  margin: z.number().min(0.001).max(0.5),
  confidence: z.union([z.literal(0.9), z.literal(0.95), z.literal(0.99)]),
  expected: z.number().min(0.001).max(0.999),
  seed: z.string().trim().max(80),
});

export const drawSample = action([Slug, Wanted], async (slug, wanted): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'audit.decide');
  const { seed, ...input } = wanted;
  const auditId = newId();
  const state = await refusalOf(async () => {
    await drawAudit(database(), actor, { ...input, auditId, seed: seed || newSeed(), projectId: project.id });
  });
  if (state.error) return state;
  redirect(`/projects/${project.slug}/audit/samples/${auditId}`);
});

export const closeSample = action([Slug, Id], async (slug, auditId): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'audit.decide');
  const state = await refusalOf(async () => {
    await closeAudit(database(), actor, { projectId: project.id, auditId });
  });
  revalidatePath(`/projects/${project.slug}/audit/samples`, 'layout');
  return state;
});
