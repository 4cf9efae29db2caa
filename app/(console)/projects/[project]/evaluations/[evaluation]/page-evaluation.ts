import { notFound } from 'next/navigation';
import { cache } from 'react';
import { z } from 'zod';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { pageProject } from '@/lib/services/access/page';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';

/** Loads the evaluation of a page. Missing and forbidden evaluations are both reported as not found. */
export const pageEvaluation = cache(async (slug: string, evaluationId: string) => {
  const access = await pageProject(slug);
  if (!z.uuid().safeParse(evaluationId).success) notFound();
  const evaluation = await getEvaluation(database(), {
    projectId: access.project.id,
    evaluationId,
  }).catch((error) => {
    if (error instanceof TesseraError) notFound();
    throw error;
  });
  return { access, evaluation, home: `/projects/${access.project.slug}` };
});
