import { and, eq, isNotNull } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import { askSoon } from '@/lib/services/jobs/enqueue';
import type { JobContext } from '@/lib/services/jobs/types';
import { indexClasses } from './find-class';
import { ingestPictures } from './ingest-pictures';
import { endingOf } from './label';
import { openArchives } from './open-archives';
import { projectSchema } from './project-schema';
import { readTables } from './read-tables';
import { countUpload, type UploadCounts } from './upload-counts';
import { UploadOptions } from './upload-options';

const { uploads, uploadFiles } = tables;

export type IngestContext = Pick<JobContext, 'db' | 'storage' | 'signal' | 'progress' | 'log'>;

/**
 * Turns the files of an upload into images. What became of each file is written with the file, so a job
 * that starts again carries on where the one before stopped.
 */
export async function ingestUpload(context: IngestContext, uploadId: string): Promise<UploadCounts> {
  const { db } = context;
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, uploadId));
  if (!upload) throw notFound('upload');
  const stored = await db
    .select()
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), isNotNull(uploadFiles.blob)));

  const isArchive = (file: { name: string }) => endingOf(file.name) === 'zip';
  const archives = await openArchives(context, stored.filter(isArchive));
  const table = await readTables(context, uploadId, archives);
  await ingestPictures(context, {
    upload: { id: uploadId, projectId: upload.projectId },
    options: UploadOptions.parse(upload.options),
    classes: indexClasses(await projectSchema(db, upload.projectId)),
    table,
    archives,
  });
  await tellUnused(context, table.unused());
  await db.transaction(async (tx) => {
    await tx.update(uploads).set({ state: 'done' }).where(eq(uploads.id, uploadId));
    // The files as they were sent have done their duty: let the collector have them.
    await tx.update(uploadFiles).set({ blob: null }).where(eq(uploadFiles.uploadId, uploadId));
    await askSoon(tx, upload.projectId);
    await schedulePredictions(tx, { projectId: upload.projectId });
  });
  return countUpload(db, uploadId);
}

/** Names that are told; a curator sees from a few what went wrong with all. */
const mostTold = 20;

async function tellUnused({ log }: IngestContext, unused: string[]): Promise<void> {
  if (unused.length === 0) return;
  const rest = unused.length > mostTold ? ` and ${unused.length - mostTold} more` : '';
  const rows =
    unused.length === 1
      ? '1 row of the tables names a file'
      : `${unused.length} rows of the tables name files`;
  await log('warn', `${rows} that nobody sent: ${unused.slice(0, mostTold).join(', ')}${rest}.`);
}
