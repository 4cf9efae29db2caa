import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { pageProject } from '@/lib/services/access/page';
import { getRun } from '@/lib/services/training/runs/list-runs';

/** The run of a page; loaded once per request. */
export const pageRun = cache(async (slug: string, runId: string) => {
  const access = await pageProject(slug);
  if (!z.uuid().safeParse(runId).success) notFound();
  const run = await getRun(database(), { projectId: access.project.id, runId }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  return { access, run, home: `/projects/${access.project.slug}` };
});

export type PageRun = Awaited<ReturnType<typeof pageRun>>;
