import { and, asc, desc, gt, lt } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { ImageFilter } from './image-filter';
import { matchingImages } from './matching-images';

const { images } = tables;

/** The images before and after one, in the list that a filter gives. The one itself need not be in it. */
export async function neighbours(
  db: Db,
  input: { projectId: string; imageId: string; filter: ImageFilter },
): Promise<{ before: string | null; after: string | null }> {
  const matching = matchingImages(input.projectId, input.filter);
  const one = { id: images.id };
  const [[before], [after]] = await Promise.all([
    db
      .select(one)
      .from(images)
      .where(and(matching, lt(images.id, input.imageId)))
      .orderBy(desc(images.id))
      .limit(1),
    db
      .select(one)
      .from(images)
      .where(and(matching, gt(images.id, input.imageId)))
      .orderBy(asc(images.id))
      .limit(1),
  ]);
  return { before: before?.id ?? null, after: after?.id ?? null };
}
