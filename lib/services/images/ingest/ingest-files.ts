import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import type { ByteSource } from '@/lib/services/storage';
import { type IngestContext, ingestUpload } from './ingest-upload';
import { receiveFile } from './receive-file';
import { startUpload } from './start-upload';
import type { UploadCounts } from './upload-counts';
import type { UploadOptions } from './upload-options';

export interface GivenFile {
  name: string;
  open(): ByteSource | Promise<ByteSource>;
}

export interface IngestFiles {
  projectId: string;
  actor: Author;
  files: AsyncIterable<GivenFile> | Iterable<GivenFile>;
  options?: Partial<UploadOptions>;
}

/** The whole way from files to images in this process, without a queue: for the command line. */
export async function ingestFiles(
  context: IngestContext,
  input: IngestFiles,
): Promise<UploadCounts & { uploadId: string }> {
  const { db, storage } = context;
  const upload = await startUpload(db, input.actor, input);
  let received = 0;
  for await (const file of input.files) {
    context.signal.throwIfAborted();
    const source = await file.open();
    if (await receiveFile(db, storage, { uploadId: upload.id, name: file.name, source })) received += 1;
    await context.progress(received, null, file.name);
  }
  await db.update(tables.uploads).set({ state: 'ingesting' }).where(eq(tables.uploads.id, upload.id));
  return { uploadId: upload.id, ...(await ingestUpload(context, upload.id)) };
}
