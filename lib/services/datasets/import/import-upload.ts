import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import type { IngestContext } from '@/lib/services/images/ingest/ingest-upload';
import { UploadOptions } from '@/lib/services/images/ingest/upload-options';
import type { ImportCounts } from './import-counts';
import { importDataset } from './import-dataset';
import { treeOfUpload } from './upload-files';

const { uploads } = tables;

/** Brings in the dataset that was sent to an upload. */
export async function importUpload(
  context: IngestContext,
  input: { uploadId: string; author: Author; mayAdopt: boolean },
): Promise<ImportCounts> {
  const { db, storage } = context;
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, input.uploadId));
  if (!upload) throw notFound('upload');
  const { format } = UploadOptions.parse(upload.options);
  const tree = await treeOfUpload(db, storage, upload.id);
  const { author, mayAdopt } = input;
  return importDataset(context, {
    projectId: upload.projectId,
    author,
    mayAdopt,
    tree,
    format,
    uploadId: upload.id,
  });
}
