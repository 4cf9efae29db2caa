import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { putBlob, type Storage, sha256Of } from '@/lib/services/storage';
import { type CodedPicture, type Picture, readPicture } from './read-picture';

const { images, derivatives } = tables;

interface NewImage {
  projectId: string;
  name: string;
  className: string | null;
  wnid: string | null;
  groupKey: string | null;
  columns: Record<string, string>;
  origin: Record<string, unknown> | null;
  /** Of the file as it was given. */
  sourceSha256: string;
  notes: string[];
}

export interface StoredImage {
  id: string;
  name: string;
  /** The image was there before; `name` is the name it has. */
  isDuplicate: boolean;
}

/**
 * Bytes first, rows then: the bytes are safe from the collector for a day, and rows never point at nothing.
 * `within` runs in the transaction that adds the rows.
 */
export async function storeImage(
  db: Db,
  storage: Storage,
  image: NewImage,
  picture: Picture,
  within: (tx: Db, stored: StoredImage) => Promise<void> = async () => {},
): Promise<StoredImage> {
  const put = async (coded: CodedPicture) =>
    (await putBlob(db, storage, Buffer.from(coded.bytes), { mediaType: coded.mediaType })).sha256;
  const blob = await put(picture);
  const thumbnail = await put(picture.thumbnail);
  const working = picture.working ? await put(picture.working) : blob;

  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(images)
      .values({
        ...image,
        blob,
        width: picture.width,
        height: picture.height,
        perceptualHash: picture.perceptualHash,
        notes: [...picture.notes, ...image.notes],
      })
      .onConflictDoNothing()
      .returning({ id: images.id, name: images.name });
    if (row) {
      await tx.insert(derivatives).values([
        { imageId: row.id, kind: 'thumbnail', blob: thumbnail, ...sizeOf(picture.thumbnail) },
        { imageId: row.id, kind: 'working', blob: working, ...sizeOf(picture.working ?? picture) },
      ]);
    }
    const stored = row
      ? { ...row, isDuplicate: false }
      : { ...(await existing(tx, image)), isDuplicate: true };
    await within(tx, stored);
    return stored;
  });
}

const sizeOf = ({ width, height }: CodedPicture) => ({ width, height });

async function existing(tx: Db, image: NewImage): Promise<{ id: string; name: string }> {
  const found = await findBySource(tx, image.projectId, image.sourceSha256);
  if (!found) throw new Error('The image that was in the way is gone.');
  return found;
}

export async function findBySource(
  db: Db,
  projectId: string,
  sourceSha256: string,
): Promise<{ id: string; name: string } | undefined> {
  const [found] = await db
    .select({ id: images.id, name: images.name })
    .from(images)
    .where(and(eq(images.projectId, projectId), eq(images.sourceSha256, sourceSha256)));
  return found;
}

interface GeneratedImage {
  projectId: string;
  name: string;
  className: string | null;
  wnid?: string | null;
  groupKey?: string | null;
  columns?: Record<string, string>;
  /** How to make the picture and its truth again. */
  origin: Record<string, unknown>;
  /** A JPEG or PNG of our own making. */
  bytes: Buffer;
}

/** Adds a picture that our own code made: read in this process, because it is trusted. */
export async function addGeneratedImage(
  db: Db,
  storage: Storage,
  image: GeneratedImage,
): Promise<StoredImage> {
  const { bytes, ...rest } = image;
  return storeImage(
    db,
    storage,
    { wnid: null, groupKey: null, columns: {}, notes: [], ...rest, sourceSha256: sha256Of(bytes) },
    await readPicture(bytes),
  );
}
