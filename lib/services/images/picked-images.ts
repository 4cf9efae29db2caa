import { and, eq, gt, inArray, ne } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type ImageRows, selectImages } from './list-images';

const { images } = tables;

/** A page of images that were picked one by one. */
export async function pickedImages(
  db: Db,
  input: { projectId: string; ids: readonly string[]; after?: string; limit: number },
): Promise<ImageRows> {
  const rows = await selectImages(
    db,
    and(
      eq(images.projectId, input.projectId),
      ne(images.state, 'derived'),
      inArray(images.id, [...input.ids]),
      input.after ? gt(images.id, input.after) : undefined,
    ),
    input.limit + 1,
  );
  const page = rows.slice(0, input.limit);
  return { images: page, next: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null };
}
