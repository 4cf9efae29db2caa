import { notFound } from 'next/navigation';
import { cache } from 'react';
import { pageNames } from '@/app/_i18n/project-texts';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { looksLikeId } from '@/lib/services/access';
import { requireActor } from '@/lib/services/access/page';
import { type BatchSummary, batchSummary } from '@/lib/services/crowd/batch-summary';

/** The summary of a page's batch, or the not-found page when it is not the reader's own. */
export const pageSummary = cache(async (batchId: string): Promise<BatchSummary> => {
  const actor = await requireActor();
  if (!looksLikeId(batchId)) notFound();
  const summary = await batchSummary(database(), actor, { batchId }).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
  const { project, stage } = summary;
  const names = await pageNames([project.id]);
  return {
    ...summary,
    project: { ...project, name: names.project(project.id, project.name) },
    stage: { ...stage, name: names.stage(project.id, stage.id, stage.name) },
  };
});
