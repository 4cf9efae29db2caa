import { mean } from 'd3-array';
import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { type Agreement, agreement } from '@/lib/core/robustness/metrics/estimates';
import { rightKey } from '@/lib/core/robustness/report/image-scores';
import {
  type ImageOutcome,
  type PairedDifference,
  pairedDifferences,
} from '@/lib/core/robustness/report/paired-differences';
import type { Plot } from '@/lib/core/robustness/report/report';
import { ABLATED, noisePairs } from '@/lib/core/robustness/suites/noise';
import { signBlobUrl } from '@/lib/services/storage';
import type { EvaluationView } from './list-evaluations';

const { derivatives, evaluationImages, images } = tables;

/** Maximum number of image pairs for the bootstrap of a page; larger sets are sampled. */
const MAX_PAIRS = 2000;

const first = alias(evaluationImages, 'first');
const second = alias(evaluationImages, 'second');

interface Comparison {
  /** Images in both evaluations, and the number used. */
  common: number;
  used: number;
  differences: PairedDifference[];
  agreement: Agreement;
}

type Compared = Pick<EvaluationView, 'id' | 'options' | 'metrics'>;

/** Paired differences (second minus first) of all common findings. One statement. */
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
    // Pseudo-random but deterministic order.
    .orderBy(sql`md5(${first.imageId}::text)`)
    .limit(MAX_PAIRS);
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
      ({ id }) => !id.startsWith('saliency-') || saliencyKind(a) === saliencyKind(b),
    ),
    agreement: agreement(pairs.map(([one, other]) => [one.isRight, other.isRight] as const)),
  };
}

export const DisagreementQuery = z.object({
  /** Which model is right. */
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

/** Lists images by which model is right, largest difference first. */
export async function listDisagreements(
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

/** Kind of saliency map. Findings of different kinds are not comparable. */
export type SaliencyMap = 'class map' | 'sensitivity' | 'occlusion';

/** All class activation maps count as one kind, the default of older evaluations. */
export function saliencyKind({ metrics }: Pick<EvaluationView, 'metrics'>): SaliencyMap {
  const looking = metrics?.offers.looking;
  return looking === 'sensitivity' || looking === 'occlusion' ? looking : 'class map';
}

const { evaluations } = tables;

/** Plots the accuracy drop from graying an attribute for several models on the same images. One statement. */
export async function plotAblationByModel(
  db: Db,
  models: readonly { id: string; model: string }[],
): Promise<Plot[]> {
  if (models.length < 2) return [];
  const found = await db.execute<{ id: string; attribute: string; value: number | null }>(sql`
    select e.id, line ->> 'name' as attribute, (line ->> 'value')::float as value
    from ${evaluations} e, jsonb_array_elements(e.metrics -> 'lines') line
    where ${inArray(
      sql`e.id`,
      models.map(({ id }) => id),
    )} and line ->> 'group' = ${ABLATED}`);
  const attributes = [...new Set(found.rows.map(({ attribute }) => attribute))].sort();
  if (attributes.length === 0) return [];
  const fallOf = (id: string, attribute: string): number | null => {
    const value = found.rows.find((row) => row.id === id && row.attribute === attribute)?.value;
    return typeof value === 'number' ? 100 * value : null;
  };
  const [own] = models;
  return [
    {
      id: 'attribute-models',
      title: 'Accuracy drop from graying an attribute, by model',
      says: 'Accuracy drop in points of this model and comparable models. The last row and column are means.',
      kind: 'heat',
      rows: [...attributes, 'mean'],
      columns: [...models.map(({ model }) => model), 'mean'],
      unit: 'points',
      values: withMeans(attributes.map((attribute) => models.map(({ id }) => fallOf(id, attribute)))),
      // The gallery contains the images of this model only.
      filters: [...attributes, null].map((attribute) =>
        [...models, null].map((each) =>
          each === own && attribute !== null
            ? { variant: 'gray.attribute', level: attribute, isRight: false }
            : null,
        ),
      ),
    },
  ];
}

function withMeans(values: (number | null)[][]): (number | null)[][] {
  const rows = values.map((row) => [...row, mean(row) ?? null]);
  return [...rows, (rows[0] ?? []).map((_, at) => mean(rows.map((row) => row[at])) ?? null)];
}

/** Loads the mean class accuracy with noise in the object and in the background. One statement. */
export async function loadNoisePoints(
  db: Db,
  evaluationIds: readonly string[],
): Promise<Map<string, { object: number; background: number }>> {
  if (evaluationIds.length === 0) return new Map();
  const share = (variant: string) =>
    sql<number>`(${evaluationImages.scores} ->> ${rightKey(variant)})::float`;
  const [inObject, beside] = [share(noisePairs.irfs.object), share(noisePairs.irfs.background)];
  const classes = db
    .select({
      evaluationId: evaluationImages.evaluationId,
      object: sql<number>`avg(${inObject})`.as('object'),
      background: sql<number>`avg(${beside})`.as('background'),
    })
    .from(evaluationImages)
    .where(
      and(
        inArray(evaluationImages.evaluationId, [...evaluationIds]),
        sql`${inObject} is not null and ${beside} is not null`,
      ),
    )
    .groupBy(evaluationImages.evaluationId, evaluationImages.className)
    .as('classes');
  const rows = await db
    .select({
      id: classes.evaluationId,
      object: sql<number>`avg(${classes.object})`,
      background: sql<number>`avg(${classes.background})`,
    })
    .from(classes)
    .groupBy(classes.evaluationId);
  return new Map(rows.map(({ id, ...point }) => [id, point]));
}
