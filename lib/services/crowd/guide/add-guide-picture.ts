import sharp from 'sharp';
import { type Database, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { invalid, TesseraError } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { picturePool } from '@/lib/services/images/ingest/picture-pool';
import { PictureRefused } from '@/lib/services/images/ingest/read-picture';
import { putBlob, type Storage } from '@/lib/services/storage';

/** A photo from a telephone has 5 MB. */
export const mostPictureBytes = 20_000_000;
/** A page shows it at half of that. */
const SIDE = 2048;

export interface GuidePicture {
  sha256: string;
  width: number;
  height: number;
}

/**
 * Stores a picture for the guide of a project. Its pixels are coded anew, so that nothing else that came in the file
 * reaches a worker. What was sent is read in a process of its own; this one sees only what that one has made of it.
 */
export async function addGuidePicture(
  db: Database,
  storage: Storage,
  actor: Actor,
  input: { projectId: string; name: string; bytes: Buffer },
): Promise<GuidePicture> {
  if (input.bytes.length > mostPictureBytes) {
    throw new TesseraError('too-large', `A picture of the guide has at most ${mostPictureBytes / 1e6} MB.`);
  }
  const picture = await picturePool()
    .read(input.bytes)
    .catch((error) => {
      throw error instanceof PictureRefused ? invalid(error.message) : error;
    });
  // As strict as the reading before it: what that takes with a warning is no failure here.
  const { data, info } = await sharp((picture.working ?? picture).bytes, { failOn: 'error' })
    .resize(SIDE, SIDE, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  const { sha256 } = await putBlob(db, storage, data, { mediaType: 'image/webp' });
  const { projectId, name } = input;
  await db.transaction(async (tx) => {
    await tx
      .insert(tables.guidePictures)
      .values({ projectId, blob: sha256, name, createdBy: actorId(actor) })
      .onConflictDoNothing();
    await record(tx, {
      actor,
      verb: 'guide.add-picture',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail: { sha256 },
    });
  });
  return { sha256, width: info.width, height: info.height };
}
