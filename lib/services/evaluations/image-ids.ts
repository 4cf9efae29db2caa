import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { images, versionImages } = tables;

/** Samples go by the sha256 of their picture as it was given; here are the images of a version by it. */
export async function imageIds(db: Db, versionId: string): Promise<Map<string, string>> {
  const known = await db
    .select({ imageId: versionImages.imageId, source: images.sourceSha256 })
    .from(versionImages)
    .innerJoin(images, eq(images.id, versionImages.imageId))
    .where(eq(versionImages.versionId, versionId));
  return new Map(known.map(({ imageId, source }) => [source, imageId]));
}
