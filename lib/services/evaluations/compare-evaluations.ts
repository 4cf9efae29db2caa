import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { type Agreement, agreement } from '@/lib/core/robustness/metrics/mcnemar';
import type { ImageOutcome } from '@/lib/core/robustness/report/image-measures';
import { type PairedDifference, pairedDifferences } from '@/lib/core/robustness/report/paired-differences';
import { signBlobUrl } from '@/lib/services/storage';
import type { EvaluationView } from './list-evaluations';
import { saliencyMap } from './saliency-map';

const { derivatives, evaluationImages, images } = tables;

/** Images that a page draws a thousand times; of more, so many are taken by chance. */
export const MOST_PAIRS = 2000;

const first = alias(evaluationImages, 'first');
const second = alias(evaluationImages, 'second');

export interface Comparison {
  /** Images of both evaluations, and how many of them the differences were made from. */
  common: number;
  used: number;
  differences: PairedDifference[];
  agreement: Agreement;
}

type Compared = Pick<EvaluationView, 'id' | 'options' | 'metrics'>;

/** Second minus first, for every number that both have. One statement, and one more where they have too many images. */
export async function compareEvaluations(
  db: Db,
  { a, b, only }: { a: Compared; b: Compared; only?: ReadonlySet<string> },
): Promise<Comparison> {
  const rows = await db
    .select({
      common: sql<number>`count(*) over ()::int`,
      className: first.className,
      firstRight: first.isRight,
      secondRight: second.isRight,
      firstScores: first.scores,
      secondScores: second.scores,
    })
    .from(first)
    .innerJoin(second, and(eq(second.imageId, first.imageId), eq(second.evaluationId, b.id)))
    .where(eq(first.evaluationId, a.id))
    // By chance, and the same each time.
    .orderBy(sql`md5(${first.imageId}::text)`)
    .limit(MOST_PAIRS);
  const pairs = rows.map(
    ({ className, firstRight, secondRight, firstScores, secondScores }): [ImageOutcome, ImageOutcome] => [
      { className, isRight: firstRight, scores: firstScores },
      { className, isRight: secondRight, scores: secondScores },
    ],
  );
  return {
    common: rows[0]?.common ?? 0,
    used: rows.length,
    differences: pairedDifferences(pairs, { seed: a.options.seed, ...(only ? { only } : {}) }).filter(
      ({ id }) => !id.startsWith('saliency-') || saliencyMap(a) === saliencyMap(b),
    ),
    agreement: agreement(pairs.map(([one, other]) => [one.isRight, other.isRight] as const)),
  };
}

export const DisagreementQuery = z.object({
  /** Which of both models is right. */
  right: z.enum(['first', 'second', 'neither', 'both']).default('first'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(48),
});
export type DisagreementQuery = z.infer<typeof DisagreementQuery>;

export interface Disagreement {
  imageId: string;
  name: string;
  className: string;
  first: { predicted: string; pTrue: number | null };
  second: { predicted: string; pTrue: number | null };
  thumbnail: { url: string; width: number; height: number } | null;
}

/** Images by which of both models gets them right; first those on which they differ most. */
export async function disagreements(
  db: Db,
  { a, b, right, offset, limit }: { a: string; b: string } & DisagreementQuery,
): Promise<{ total: number; items: Disagreement[] }> {
  const [isFirst, isSecond] = [right === 'first' || right === 'both', right === 'second' || right === 'both'];
  const pTrue = (scores: SQLWrapper): SQL<number | null> => sql`(${scores} ->> 'pTrue')::float`;
  const rows = await db
    .select({
      total: sql<number>`count(*) over ()::int`,
      imageId: first.imageId,
      name: images.name,
      className: first.className,
      firstSaid: first.predicted,
      secondSaid: second.predicted,
      firstP: pTrue(first.scores),
      secondP: pTrue(second.scores),
      thumbnail: { blob: derivatives.blob, width: derivatives.width, height: derivatives.height },
    })
    .from(first)
    .innerJoin(second, and(eq(second.imageId, first.imageId), eq(second.evaluationId, b)))
    .innerJoin(images, eq(images.id, first.imageId))
    .leftJoin(derivatives, and(eq(derivatives.imageId, images.id), eq(derivatives.kind, 'thumbnail')))
    .where(and(eq(first.evaluationId, a), eq(first.isRight, isFirst), eq(second.isRight, isSecond)))
    .orderBy(sql`abs(${pTrue(first.scores)} - ${pTrue(second.scores)}) desc nulls last, ${first.imageId}`)
    .offset(offset)
    .limit(limit);
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map((row) => ({
      imageId: row.imageId,
      name: row.name,
      className: row.className,
      first: { predicted: row.firstSaid, pTrue: row.firstP },
      second: { predicted: row.secondSaid, pTrue: row.secondP },
      thumbnail: row.thumbnail && {
        url: signBlobUrl(row.thumbnail.blob),
        width: row.thumbnail.width,
        height: row.thumbnail.height,
      },
    })),
  };
}
