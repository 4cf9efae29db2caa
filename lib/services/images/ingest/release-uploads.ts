import { and, inArray, isNotNull, lt, ne, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { jobs, uploads, uploadFiles } = tables;

/** Files of uploads that were begun and never finished, or cancelled, or that failed, go after this long. */
const keptFor = sql`interval '7 days'`;

/** Lets go of the files of abandoned uploads, so that the collector may take them. */
export async function releaseUploads(db: Db): Promise<void> {
  const busy = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running', 'retrying']));
  const abandoned = db
    .select({ id: uploads.id })
    .from(uploads)
    .where(
      and(
        ne(uploads.state, 'done'),
        lt(uploads.createdAt, sql`now() - ${keptFor}`),
        sql`(${uploads.jobId} is null or ${uploads.jobId} not in ${busy})`,
      ),
    );
  await db
    .update(uploadFiles)
    .set({ blob: null })
    .where(and(inArray(uploadFiles.uploadId, abandoned), isNotNull(uploadFiles.blob)));
}
