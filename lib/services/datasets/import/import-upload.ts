import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { notFound, TesseraError } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import type { ProjectAccess } from '@/lib/services/access/authorise';
import type { IngestContext } from '@/lib/services/images/ingest/ingest-upload';
import { UploadOptions } from '@/lib/services/images/ingest/uploads';
import type { ImportCounts } from './import-counts';
import { importDataset } from './import-dataset';
import { openUploadTree } from './source-trees';

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
  const tree = await openUploadTree(db, storage, upload.id);
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

/** Whether somebody who brings labels in may also give an empty draft their schema: a key may be for images only. */
export async function canAdoptSchema(db: Db, actor: Actor, projectId: string): Promise<boolean> {
  try {
    await authorise(db, actor, 'schema.write', { project: projectId });
    return true;
  } catch (error) {
    if (error instanceof TesseraError) return false;
    throw error;
  }
}

/** Whoever brings a dataset in adds images and says what their labels are: it needs the rights to both. */
export async function canImportLabels(db: Db, actor: Actor, project: string): Promise<ProjectAccess> {
  await authorise(db, actor, 'audit.decide', { project });
  return authorise(db, actor, 'images.write', { project });
}
