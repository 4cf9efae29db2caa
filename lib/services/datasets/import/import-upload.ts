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

/** Imports the dataset of an upload. */
export async function importUpload(
  context: IngestContext,
  input: { uploadId: string; author: Author; mayAdopt: boolean },
): Promise<ImportCounts> {
  const { db, storage } = context;
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, input.uploadId));
  if (!upload) throw notFound('upload');
  const { format, mapping, className } = UploadOptions.parse(upload.options);
  const tree = await openUploadTree(db, storage, upload.id);
  const { author, mayAdopt } = input;
  return importDataset(context, {
    projectId: upload.projectId,
    author,
    mayAdopt,
    tree,
    format,
    mapping,
    className,
    uploadId: upload.id,
  });
}

/** Whether an import can also replace the schema of an empty draft. An API key may be limited to images. */
export async function canAdoptSchema(db: Db, actor: Actor, projectId: string): Promise<boolean> {
  try {
    await authorise(db, actor, 'schema.write', { project: projectId });
    return true;
  } catch (error) {
    if (error instanceof TesseraError) return false;
    throw error;
  }
}

/** Authorizes a dataset import, which requires the rights to add images and to decide on labels. */
export async function canImportLabels(db: Db, actor: Actor, project: string): Promise<ProjectAccess> {
  await authorise(db, actor, 'audit.decide', { project });
  return authorise(db, actor, 'images.write', { project });
}
