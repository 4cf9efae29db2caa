import { type Database, tables } from '@/db';
import { record } from '@/lib/audit';
import { type Actor, actorId } from '@/lib/auth/actor';
import { invalid, TesseraError } from '@/lib/errors';
import { PictureRefused, readPicture } from '@/lib/ingest/read-picture';
import { putBlob, type Storage } from '@/lib/storage';
import { purpose } from './guide-pictures';

const { uploadFiles, uploads } = tables;

/** A photo from a telephone has 5 MB. */
const MAX_BYTES = 20_000_000;

export interface GuidePicture {
  sha256: string;
  width: number;
  height: number;
}

/**
 * Stores a picture for the guide of a project: upright, without metadata. It is read in this process, because it is
 * a curator who sends it; what a crowd of strangers may send is read by a pool of others. The file of a finished
 * upload is what keeps it, and what says that the project's guide may show it.
 */
export async function addGuidePicture(
  db: Database,
  storage: Storage,
  actor: Actor,
  input: { projectId: string; name: string; bytes: Buffer },
): Promise<GuidePicture> {
  if (input.bytes.length > MAX_BYTES) {
    throw new TesseraError('too-large', `A picture of the guide has at most ${MAX_BYTES / 1e6} MB.`);
  }
  const picture = await readPicture(input.bytes).catch((error) => {
    throw error instanceof PictureRefused ? invalid(error.message) : error;
  });
  const { bytes, mediaType, width, height } = picture.working ?? picture;
  const { sha256 } = await putBlob(db, storage, Buffer.from(bytes), { mediaType });
  await db.transaction(async (tx) => {
    const [upload] = await tx
      .insert(uploads)
      .values({ projectId: input.projectId, createdBy: actorId(actor), state: 'done', options: purpose })
      .returning({ id: uploads.id });
    const uploadId = upload?.id as string;
    await tx.insert(uploadFiles).values({ uploadId, name: input.name, blob: sha256, state: 'accepted' });
    await record(tx, {
      actor,
      verb: 'guide.add-picture',
      subject: 'project',
      subjectId: input.projectId,
      projectId: input.projectId,
      detail: { sha256 },
    });
  });
  return { sha256, width, height };
}
