import { and, eq } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { conflict, notFound, TesseraError } from '@/lib/core/errors';
import { type ByteSource, putBlob, type Storage } from '@/lib/services/storage';
import { cleanLabel, isSystemFile, uniqueLabel } from './label';

const { uploadFiles, uploads } = tables;

export type UploadFile = typeof uploadFiles.$inferSelect;

interface ReceiveFile {
  uploadId: string;
  name: string;
  source: ByteSource;
  /** What the client says; it is believed only when it is too much. */
  contentLength?: number;
}

/**
 * Takes one file into an open upload. Sending the same file again is the same file, so that a client may
 * repeat what it is not sure of. Null: litter of a file manager, passed over.
 */
export async function receiveFile(
  db: Database,
  storage: Storage,
  input: ReceiveFile,
): Promise<UploadFile | null> {
  const maxBytes = Math.floor(readConfig().TESSERA_UPLOAD_GB * 1e9);
  if ((input.contentLength ?? 0) > maxBytes)
    throw new TesseraError('too-large', `A file may have at most ${maxBytes / 1e9} GB (TESSERA_UPLOAD_GB).`);
  await requireOpen(db, input.uploadId);
  const label = cleanLabel(input.name);
  if (isSystemFile(label)) return null;
  const { sha256 } = await putBlob(db, storage, input.source, {
    // What it really is, is found out by the job; until then nobody is shown it.
    mediaType: 'application/octet-stream',
    maxBytes,
  });
  return db.transaction(async (tx) => {
    await requireOpen(tx, input.uploadId, true);
    const [same] = await tx
      .select()
      .from(uploadFiles)
      .where(and(eq(uploadFiles.uploadId, input.uploadId), eq(uploadFiles.name, label)));
    if (same?.blob === sha256) return same;
    const name = same ? uniqueLabel(label, await labelsOf(tx, input.uploadId)) : label;
    const [file] = await tx
      .insert(uploadFiles)
      .values({ uploadId: input.uploadId, name, blob: sha256 })
      .returning();
    return file as UploadFile;
  });
}

async function labelsOf(tx: Pick<Database, 'select'>, uploadId: string): Promise<Set<string>> {
  const rows = await tx
    .select({ name: uploadFiles.name })
    .from(uploadFiles)
    .where(eq(uploadFiles.uploadId, uploadId));
  return new Set(rows.map((row) => row.name));
}

/** With the lock, two files of one name that arrive at once are named one after the other. */
async function requireOpen(db: Pick<Database, 'select'>, uploadId: string, lock = false): Promise<void> {
  const query = db.select({ state: uploads.state }).from(uploads).where(eq(uploads.id, uploadId));
  const [upload] = await (lock ? query.for('update') : query);
  if (!upload) throw notFound('upload');
  if (upload.state !== 'open') throw conflict('The upload is already closed. Start a new upload.');
}

export interface Outcome {
  state: 'accepted' | 'duplicate' | 'refused';
  reason: string | null;
  imageId?: string;
  /** Given for what is never read again, so that the collector may take the file as it was sent. */
  blob?: null;
}

/** Writes down what became of a file, once: a second attempt at the job does not change it. */
export async function settleFile(db: Db, fileId: string, outcome: Outcome): Promise<void> {
  await db
    .update(uploadFiles)
    .set(outcome)
    .where(and(eq(uploadFiles.id, fileId), eq(uploadFiles.state, 'received')));
}
