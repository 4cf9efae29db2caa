import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { countsCsv } from '@/lib/core/formats/mapping';

const { jobs, uploads } = tables;

const Counts = {
  total: z.number(),
  written: z.number(),
  merged: z.number(),
  known: z.number(),
  skipped: z.number(),
};

const Result = z.object({
  annotations: z.object(Counts),
  categories: z.array(
    z.object({
      category: z.string(),
      target: z.string(),
      ...Counts,
      reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
    }),
  ),
});

/** Returns the annotation counts of each category of a finished import as CSV. */
export async function readImportReport(
  db: Db,
  { projectId, uploadId }: { projectId: string; uploadId: string },
): Promise<string> {
  const [row] = await db
    .select({ result: jobs.result })
    .from(uploads)
    .leftJoin(jobs, eq(jobs.id, uploads.jobId))
    .where(and(eq(uploads.id, uploadId), eq(uploads.projectId, projectId)));
  if (!row) throw notFound('upload');
  const result = Result.safeParse(row.result);
  if (!result.success) throw conflict('The upload has no finished import of a dataset.');
  return countsCsv(result.data.categories, result.data.annotations);
}
