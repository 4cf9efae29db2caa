import type { Db } from '@/db';
import { type Storage, sha256Of } from '@/lib/services/storage';
import { readPicture } from './read-picture';
import { type StoredImage, storeImage } from './store-image';

export interface GeneratedImage {
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
