import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { ImageFilter } from './image-filter';
import { matchingImages } from './matching-images';

const { images } = tables;

/** Images in one page of the grid: what one request brings. */
export const pageSize = 200;

export interface PageEnds {
  total: number;
  size: number;
  /** The last id of every full page, in order: page n lies after `ends[n - 1]` and reaches to `ends[n]`. */
  ends: string[];
}

/**
 * How long a list is and where each of its pages lies. With this a reader who drags the scroll bar to the middle
 * gets that page by its key, as quickly as the first one, and the bar has its true length from the start. One
 * statement that reads the ids of the list once, in order.
 */
export async function pageEnds(db: Db, input: { projectId: string; filter: ImageFilter }): Promise<PageEnds> {
  const numbered = db
    .select({ id: images.id, n: sql<number>`row_number() over (order by ${images.id})`.as('n') })
    .from(images)
    .where(matchingImages(input.projectId, input.filter))
    .as('numbered');
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      ends: sql<string[]>`coalesce(array_agg(${numbered.id} order by ${numbered.n})
        filter (where ${numbered.n} % ${sql.raw(String(pageSize))} = 0), '{}')`,
    })
    .from(numbered);
  return { total: row?.total ?? 0, size: pageSize, ends: row?.ends ?? [] };
}
