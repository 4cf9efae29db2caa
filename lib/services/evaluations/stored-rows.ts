import { and, count, eq, inArray } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Planned } from '@/lib/core/robustness/suites';
import type { Variant } from '@/lib/core/robustness/types';
import type { NetworkInput } from '@/lib/services/inference/predict/view-window';
import { sha256Of } from '@/lib/services/storage';
import { type Entry, loadRegions, sampleKey } from './sample-pool';
import { poolKey } from './select-images';

const { evaluationRows } = tables;

/** Maximum number of mask pixels to resize for exact sample keys; takes about a second. */
const MAX_PIXELS = 500_000_000;

interface StoredRowCounts {
  /** Number of images with stored rows by variant id. */
  images: ReadonlyMap<string, number>;
  isAtMost: boolean;
}

/** Counts the images with stored rows per variant. One statement. */
export async function countStoredRows(
  db: Db,
  work: { projectId: string; model: string; seed: number; entries: readonly Entry[]; input: NetworkInput },
  variants: readonly Planned[],
): Promise<StoredRowCounts> {
  const { projectId, model, seed, entries, input } = work;
  // Keys of oracle variants depend on oracle models, which are not open yet.
  const countable = variants.filter(({ needs }) => !needs.includes('oracle'));
  const pool = poolKey(entries);
  const names = new Map(
    countable.map((variant) => [variantKey(variant, { seed, pool, oracle: '' }), variant.id]),
  );
  const isExact = pixelsOf(entries) <= MAX_PIXELS;
  const found = await db
    .select({ variant: evaluationRows.variant, n: count() })
    .from(evaluationRows)
    .where(
      and(
        eq(evaluationRows.projectId, projectId),
        eq(evaluationRows.model, model),
        inArray(evaluationRows.variant, [...names.keys()]),
        isExact ? inArray(evaluationRows.sample, sampleKeys(entries, input, countable)) : undefined,
      ),
    )
    .groupBy(evaluationRows.variant);
  const limits = new Map(countable.map(({ id, maxImages: own }) => [id, Math.min(own, entries.length)]));
  return {
    images: new Map(
      found.map(({ variant, n }) => {
        const id = names.get(variant) ?? '';
        return [id, Math.min(n, limits.get(id) ?? 0)];
      }),
    ),
    isAtMost: !isExact,
  };
}

function sampleKeys(entries: readonly Entry[], input: NetworkInput, variants: readonly Planned[]): string[] {
  const kinds = [...new Set(variants.map(usesLabels))];
  return entries.flatMap(({ image, classIndex }) => {
    const sample = {
      ...{ id: image.source, classIndex, picture: { width: input.side } },
      attributes: image.attributes?.present ?? null,
      ...(kinds.includes(true)
        ? loadRegions(image, input)
        : { object: null, parts: {}, attributeRegions: {} }),
    };
    return kinds.map((isLabelled) => sampleKey(sample, isLabelled));
  });
}

const pixelsOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { image }) => {
    const masks = image.objects.reduce((n, { parts }) => n + 1 + parts.length, image.attributeMasks.length);
    return sum + masks * image.width * image.height;
  }, 0);

/** Requirements that make a variant depend on labels. */
const LABELS = new Set(['object mask', 'part masks', 'attributes', 'attribute masks', 'donors']);

export const usesLabels = ({ needs }: Variant): boolean => needs.some((need) => LABELS.has(need));

/**
 * Key of everything that the rows of a variant depend on besides model and sample: settings, donor images, oracle and
 * decoder.
 */
export function variantKey(
  variant: Variant,
  { seed, pool, oracle, generator = '' }: { seed: number; pool: string; oracle: string; generator?: string },
): string {
  const { id, version, parameters, cells, needs } = variant;
  const settings = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const others = [needs.includes('donors') ? pool : null, needs.includes('oracle') ? oracle : null];
  // Only with a decoder, so that keys of older rows stay valid.
  if (needs.includes('decoder')) others.push(generator);
  return sha256Of(Buffer.from(JSON.stringify([id, version, settings, cells, seed, others])));
}
