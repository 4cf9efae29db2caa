import { and, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { groupScores, outcomeScores, rightKey } from '@/lib/core/robustness/report/image-scores';
import type { RowTable } from '@/lib/core/robustness/report/row-table';
import { listSlicesOf } from '@/lib/core/robustness/report/slice-report';
import type { Variant } from '@/lib/core/robustness/types';
import { signBlobUrl } from '@/lib/services/storage';
import { mapSourcesToImages } from './select-images';

const { derivatives, evaluationImages, images } = tables;

const word = z.string().max(200);

/** Which images of an evaluation: what a point, a bar or a cell of the results page asks for. */
export const GalleryFilters = z.object({
  class: word.optional(),
  predicted: word.optional(),
  /** Of the picture as it is, or of what a variant made of it. */
  right: z.enum(['yes', 'no']).optional(),
  variant: word.optional(),
  level: word.optional(),
  /** A group of the report: `Attribute: striped`. */
  group: word.optional(),
  /** A second group that the image is in too. */
  also: word.optional(),
  /** A name among the scores, from and below. */
  score: word.optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
});
export type GalleryFilters = z.infer<typeof GalleryFilters>;

export const GalleryQuery = GalleryFilters.extend({
  /** A name among the scores; lowest first unless more of it is worse. */
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

const scoreOf = (name: string): SQL => sql`(${evaluationImages.scores} ->> ${name})::float`;

/** In SQL, so that whatever is done with "all that match" means the same images as the gallery. */
export function galleryWhere(evaluationId: string, query: GalleryFilters): SQL | undefined {
  const { class: className, predicted, right, variant, level, group, also, score, from, to } = query;
  const outcome = variant ? scoreOf(rightKey(variant, level)) : null;
  return and(
    eq(evaluationImages.evaluationId, evaluationId),
    className ? eq(evaluationImages.className, className) : undefined,
    predicted ? eq(evaluationImages.predicted, predicted) : undefined,
    right && !outcome ? eq(evaluationImages.isRight, right === 'yes') : undefined,
    outcome && !right ? sql`${outcome} is not null` : undefined,
    outcome && right ? (right === 'yes' ? sql`${outcome} >= 1` : sql`${outcome} < 1`) : undefined,
    ...[group, also].map((each) =>
      each ? sql`jsonb_exists(${evaluationImages.scores}, ${`in ${each}`})` : undefined,
    ),
    score && from !== undefined ? sql`${scoreOf(score)} >= ${from}` : undefined,
    score && to !== undefined ? sql`${scoreOf(score)} < ${to}` : undefined,
  );
}

/** The largest fall, and the label that is most likely wrong, are the ones to look at; of all else the lowest. */
const isHigherWorse = (sort: string): boolean => sort.startsWith('drop ') || sort === 'labelSuspicion';

const galleryOrder = (sort: string): SQL =>
  isHigherWorse(sort)
    ? sql`${scoreOf(sort)} desc nulls last, ${evaluationImages.imageId}`
    : sql`${scoreOf(sort)} asc nulls last, ${evaluationImages.imageId}`;

export async function loadGallery(
  db: Db,
  evaluationId: string,
  { sort, offset, limit, ...filters }: GalleryQuery,
): Promise<{ total: number; items: GalleryImage[] }> {
  const where = galleryWhere(evaluationId, filters);
  const [items, [count]] = await Promise.all([
    select(db).where(where).orderBy(galleryOrder(sort)).offset(offset).limit(limit),
    db.select({ n: sql<number>`count(*)::int` }).from(evaluationImages).where(where),
  ]);
  return { total: count?.n ?? 0, items: items.map(toGalleryImage) };
}

/** One image of an evaluation, or undefined. */
export async function loadGalleryImage(
  db: Db,
  evaluationId: string,
  imageId: string,
): Promise<GalleryImage | undefined> {
  const [found] = await select(db).where(
    and(eq(evaluationImages.evaluationId, evaluationId), eq(evaluationImages.imageId, imageId)),
  );
  return found && toGalleryImage(found);
}

const select = (db: Db) =>
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
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'thumbnail')));

const toGalleryImage = ({
  thumbnail,
  ...image
}: Awaited<ReturnType<typeof select>>[number]): GalleryImage => ({
  ...image,
  thumbnail: thumbnail && {
    url: signBlobUrl(thumbnail.blob),
    width: thumbnail.width,
    height: thumbnail.height,
  },
});

/** Images that are looked at to learn which scores there are: each has nearly all of them. */
const ENOUGH = 200;

/** The scores that the images of an evaluation have: what a gallery can be sorted and filtered by. */
export async function scoreNames(db: Db, evaluationId: string): Promise<string[]> {
  const some = db
    .select({ scores: evaluationImages.scores })
    .from(evaluationImages)
    .where(eq(evaluationImages.evaluationId, evaluationId))
    .limit(ENOUGH)
    .as('some');
  const rows = await db
    .selectDistinct({ name: sql<string>`jsonb_object_keys(${some.scores})`.as('name') })
    .from(some)
    .orderBy(sql`name`);
  return rows.map(({ name }) => name);
}

const TOGETHER = 500;

/** One row for each image, for the gallery and for comparing two models image by image. Done twice, the later counts. */
export async function storeEvaluationImages(
  db: Database,
  {
    evaluationId,
    versionId,
    table,
    variants,
    scores,
  }: {
    evaluationId: string;
    versionId: string;
    table: RowTable;
    variants: readonly Variant[];
    scores: ReadonlyMap<string, Record<string, number | null>>;
  },
): Promise<void> {
  const idOf = await mapSourcesToImages(db, versionId);
  const groups = listSlicesOf(table);
  const rows = table.subjects.flatMap((subject) => {
    const imageId = idOf.get(subject.id);
    const clean = table.one('identity', subject.id);
    if (!imageId || !clean) return [];
    return [
      {
        evaluationId,
        imageId,
        className: subject.className,
        predicted: table.classes[clean.predicted] ?? '',
        isRight: clean.predicted === subject.classIndex,
        scores: {
          ...outcomeScores(table, variants, subject),
          ...groupScores(groups, subject),
          ...scores.get(subject.id),
        },
      },
    ];
  });
  await db.transaction(async (tx) => {
    await tx.delete(evaluationImages).where(eq(evaluationImages.evaluationId, evaluationId));
    for (let from = 0; from < rows.length; from += TOGETHER)
      await tx
        .insert(evaluationImages)
        .values(rows.slice(from, from + TOGETHER))
        .onConflictDoUpdate({
          target: [evaluationImages.evaluationId, evaluationImages.imageId],
          set: { scores: sql`excluded.scores` },
        });
  });
}
