import { count, eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { limits } from '@/lib/core/image-limits';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs/enqueue';
import type { Upload } from './start-upload';

const { uploads, uploadFiles } = tables;

export interface FinishUpload {
  uploadId: string;
  /** The files are a dataset in this format: its labels come in with its pictures. */
  dataset?: { format: string; mayAdopt: boolean };
}

/** Closes an upload and starts the job that turns its files into images. */
export async function finishUpload(
  db: Database,
  actor: Author,
  input: FinishUpload,
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
    const { dataset } = input;
    const about = { projectId: upload.projectId, startedBy: actorId(actor) };
    const jobId = dataset
      ? await enqueue(
          tx,
          'import-dataset',
          { uploadId: upload.id, author: auditedAs(actor), mayAdopt: dataset.mayAdopt },
          { title: `Import a dataset (${dataset.format})`, ...about },
        )
      : await enqueue(
          tx,
          'ingest',
          { uploadId: upload.id },
          { title: `Add ${n} ${n === 1 ? 'file' : 'files'}`, ...about },
        );
    const options = dataset ? { ...upload.options, format: dataset.format } : upload.options;
    await tx.update(uploads).set({ state: 'ingesting', jobId, options }).where(eq(uploads.id, upload.id));
    await record(tx, {
      actor,
      verb: 'images.add',
      subject: 'upload',
      subjectId: upload.id,
      projectId: upload.projectId,
      detail: { files: n },
    });
    return { ...upload, state: 'ingesting', jobId, options };
  });
}
