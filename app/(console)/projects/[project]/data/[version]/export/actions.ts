'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action, Slug } from '@/app/_actions/action';
import { type FormState, refusalOf } from '@/app/_actions/form-state';
import { database } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { startExport } from '@/lib/services/datasets/exports/export-jobs';
import { storage } from '@/lib/services/storage';

const Wanted = z.strictObject({
  version: z.string().min(1).max(80),
  format: z.string().min(1).max(80),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** Starts an export and redirects to the list that shows its progress. */
export const beginExport = action([Slug, Wanted], async (slug, wanted): Promise<FormState> => {
  const { actor, project } = await pageProject(slug, 'data.export');
  const input = wanted;
  const state = await refusalOf(async () => {
    await startExport(database(), storage(), actor, { projectId: project.id, ...input });
  });
  if (state.error) return state;
  redirect(`/projects/${project.slug}/data/${input.version}/export`);
});
