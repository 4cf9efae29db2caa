import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '@/lib/storage';

const { derivatives, evaluationImages, images } = tables;

/** What a point, a bar or a cell of the results page asks for. */
export const GalleryQuery = z.object({
  class: z.string().max(200).optional(),
  predicted: z.string().max(200).optional(),
  right: z.enum(['yes', 'no']).optional(),
  /** A name among the scores; lowest first unless it is a fall of probability. */
  sort: z.string().max(80).default('pTrue'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(60),
});
export type GalleryQuery = z.infer<typeof GalleryQuery>;

export interface GalleryImage {
  imageId: string;
  name: string;
  className: string;
  predicted: string;
  isRight: boolean;
  scores: Record<string, number | null>;
  /** Null until the job has made it. */
  thumbnail: { url: string; width: number; height: number } | null;
}

export async function galleryOf(
  db: Db,
  evaluationId: string,
  { class: className, predicted, right, sort, offset, limit }: GalleryQuery,
): Promise<{ total: number; items: GalleryImage[] }> {
  const where = and(
    eq(evaluationImages.evaluationId, evaluationId),
    className ? eq(evaluationImages.className, className) : undefined,
    predicted ? eq(evaluationImages.predicted, predicted) : undefined,
    right ? eq(evaluationImages.isRight, right === 'yes') : undefined,
  );
  const score: SQL = sql`(${evaluationImages.scores} ->> ${sort})::float`;
  // The largest fall is the one to look at; of all else the lowest.
  const order = sort.startsWith('drop ')
    ? sql`${score} desc nulls last, ${evaluationImages.imageId}`
    : sql`${score} asc nulls last, ${evaluationImages.imageId}`;
  const [items, [count]] = await Promise.all([
    db
      .select({
        imageId: evaluationImages.imageId,
        name: images.name,
        className: evaluationImages.className,
        predicted: evaluationImages.predicted,
        isRight: evaluationImages.isRight,
        scores: evaluationImages.scores,
        thumbnail: { blob: derivatives.blob, width: derivatives.width, height: derivatives.height },
      })
      .from(evaluationImages)
      .innerJoin(images, eq(images.id, evaluationImages.imageId))
      .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'thumbnail')))
      .where(where)
      .orderBy(order)
      .offset(offset)
      .limit(limit),
    db.select({ n: sql<number>`count(*)::int` }).from(evaluationImages).where(where),
  ]);
  return {
    total: count?.n ?? 0,
    items: items.map(({ thumbnail, ...image }) => ({
      ...image,
      thumbnail: thumbnail && {
        url: signBlobUrl(thumbnail.blob),
        width: thumbnail.width,
        height: thumbnail.height,
      },
    })),
  };
}
