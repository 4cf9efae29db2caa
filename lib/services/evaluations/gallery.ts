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

/** Filter of the gallery, as used by links from plots. */
export const GalleryFilters = z.object({
  class: word.optional(),
  predicted: word.optional(),
  /** Correctness on the clean picture, or in the variant. */
  right: z.enum(['yes', 'no']).optional(),
  variant: word.optional(),
  level: word.optional(),
  /** A group of the report: `Attribute: striped`. */
  group: word.optional(),
  /** A second group. */
  also: word.optional(),
  /** Name of a score with bounds (from inclusive, to exclusive). */
  score: word.optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
});
export type GalleryFilters = z.infer<typeof GalleryFilters>;

export const GalleryQuery = GalleryFilters.extend({
  /** Name of a score; the worst images come first. */
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
  /** Null until it is generated. */
  thumbnail: { url: string; width: number; height: number } | null;
}

const scoreOf = (name: string): SQL => sql`(${evaluationImages.scores} ->> ${name})::float`;

/** Filter as SQL, shared by the gallery and bulk actions. */
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

/** Scores where high values are worse: drops and label suspicion. */
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

/** Loads one image of an evaluation. */
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

/** Images sampled to list score names; each has nearly all of them. */
const ENOUGH = 200;

/** Names of the scores of an evaluation, for sorting and filtering. */
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

/** Stores one row per image for the gallery and paired comparisons. Replaces earlier rows. */
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
