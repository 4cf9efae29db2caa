import { count, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { record } from '../audit';
import { type Author, actorId } from '../auth/actor';
import { conflict, invalid, notFound } from '../errors';
import { enqueue } from '../jobs/enqueue';
import { limits } from './limits';
import type { Upload } from './start-upload';

const { uploads, uploadFiles } = tables;

/** Closes an upload and starts the job that turns its files into images. */
export async function finishUpload(
  db: Database,
  actor: Author,
  input: { uploadId: string },
): Promise<Upload & { jobId: string }> {
  return db.transaction(async (tx) => {
    const [upload] = await tx.select().from(uploads).where(eq(uploads.id, input.uploadId)).for('update');
    if (!upload) throw notFound('upload');
    if (upload.state !== 'open') throw conflict('The upload is already finished.');
    const [files] = await tx
      .select({ n: count() })
      .from(uploadFiles)
      .where(eq(uploadFiles.uploadId, upload.id));
    const n = files?.n ?? 0;
    if (n === 0) throw invalid('No file was sent to this upload.');
    if (n > limits.filesPerUpload)
      throw invalid(`An upload may have at most ${limits.filesPerUpload} files.`);
    const jobId = await enqueue(
      tx,
      'ingest',
      { uploadId: upload.id },
      {
        title: `Add ${n} ${n === 1 ? 'file' : 'files'}`,
        projectId: upload.projectId,
        startedBy: actorId(actor),
      },
    );
    await tx.update(uploads).set({ state: 'ingesting', jobId }).where(eq(uploads.id, upload.id));
    await record(tx, {
      actor,
      verb: 'images.add',
      subject: 'upload',
      subjectId: upload.id,
      projectId: upload.projectId,
      detail: { files: n },
    });
    return { ...upload, state: 'ingesting', jobId };
  });
}
