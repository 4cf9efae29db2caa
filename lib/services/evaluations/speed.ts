import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { mean } from 'd3-array';
import { and, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { createRng } from '@/lib/core/robustness/random';
import { chooseSaliencyMethod, type SaliencyMethod } from '@/lib/core/robustness/saliency/compute-saliency';
import type { Variant } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import type { NetworkInput } from '@/lib/services/inference/predict/view-window';
import type { JobContext } from '@/lib/services/jobs';
import { openModelRunner } from './open-model-runner';
import { type Entry, SamplePool } from './sample-pool';
import { createVariantContext } from './variant-context';

const { evaluations, models } = tables;

export interface Speed {
  from: 'evaluations' | 'calibration';
  runsPerSecond: number;
  /** Evaluations, or pictures, that it was measured on. */
  n: number;
  /** Seconds for one cell of one image. */
  secondsFor(variant: Pick<Variant, 'id' | 'runs'>): number;
  /** Saliency method of the model; missing in older evaluations. */
  looking?: SaliencyMethod | undefined;
}

/** Shorter evaluations measure process startup rather than the model. */
const ENOUGH_RUNS = 200;

/** Estimates the speed from earlier evaluations of the model, preferring the same suite and preset. */
export async function estimateFromPast(
  db: Db,
  { modelId, suite, preset }: { modelId: string; suite: string; preset: string },
): Promise<Speed | null> {
  const number = (name: string) => sql<number | null>`(${evaluations.metrics} ->> ${name})::float`;
  const rows = await db
    .select({
      suite: evaluations.suite,
      preset: sql<string | null>`${evaluations.options} ->> 'preset'`,
      runs: number('runs'),
      seconds: number('seconds'),
      looking: sql<SaliencyMethod | null>`${evaluations.metrics} -> 'offers' ->> 'looking'`,
    })
    .from(evaluations)
    .where(and(eq(evaluations.modelId, modelId), isNotNull(evaluations.metrics)))
    .orderBy(desc(evaluations.id))
    .limit(20);
  const usable = rows.flatMap(({ runs, seconds, ...of }) =>
    runs !== null && seconds && runs >= ENOUGH_RUNS ? [{ ...of, runs, seconds }] : [],
  );
  const alike = usable.filter((row) => row.suite === suite && row.preset === preset);
  const used = alike.length > 0 ? alike : usable;
  if (used.length === 0) return null;
  const [runs, seconds] = (['runs', 'seconds'] as const).map((name) =>
    used.reduce((sum, row) => sum + row[name], 0),
  ) as [number, number];
  const runsPerSecond = runs / seconds;
  const secondsFor = (variant: { runs: number }) => variant.runs / runsPerSecond;
  const looking = rows.find((row) => row.looking)?.looking ?? undefined;
  return { from: 'evaluations', runsPerSecond, n: used.length, secondsFor, looking };
}

const PICTURES = 16;
/** Time limit for measuring variants; unmeasured variants use the mean. */
const MAX_CALIBRATION_MS = 3000;
/** Variants with more runs are dominated by the model speed. */
const FEW_RUNS = 4;

export interface Calibration {
  speed: Speed;
  features: boolean;
}

/** Measures the model on a few pictures and each variant once. */
export async function calibrate(
  context: Pick<JobContext, 'db' | 'storage' | 'signal'>,
  model: typeof models.$inferSelect,
  { entries, input }: { entries: readonly Entry[]; input: NetworkInput },
  variants: readonly Variant[],
): Promise<Calibration> {
  await using runner = await openModelRunner(context, model);
  const pool = new SamplePool(entries, createPictures(context.storage), input);
  const sample = await pool.sample(entries[0] as Entry);
  const pictures = Array.from({ length: PICTURES }, () => sample.picture);
  await runner.logits(pictures);
  const began = performance.now();
  await runner.logits(pictures);
  const perRun = (performance.now() - began) / PICTURES;
  const changing = new Map<string, number>();
  const until = performance.now() + MAX_CALIBRATION_MS;
  for (const variant of variants) {
    context.signal.throwIfAborted();
    if (performance.now() > until) break;
    const [cell] = variant.cells;
    if (!cell || variant.runs > FEW_RUNS || variant.needs.includes('oracle')) continue;
    const variantContext = createVariantContext(runner, pool, null);
    const start = performance.now();
    await variant.apply(sample, cell, createRng(`tessera|speed|${variant.id}`), variantContext);
    changing.set(variant.id, Math.max(0, performance.now() - start - variantContext.queries * perRun));
  }
  const average = mean(changing.values()) ?? 0;
  // Models run in several processes, variants in one.
  const processes = Math.min(4, os.availableParallelism());
  return {
    speed: {
      ...{ from: 'calibration', runsPerSecond: (1000 * processes) / perRun, n: PICTURES },
      looking: chooseSaliencyMethod(runner),
      secondsFor: ({ id, runs }) =>
        ((runs > FEW_RUNS ? 0 : (changing.get(id) ?? average)) + (runs * perRun) / processes) / 1000,
    },
    features: runner.features !== null,
  };
}

/** Lifetime of a calibration, long enough to fill in the form. */
const CALIBRATION_TTL_MS = 10 * 60_000;
const MAX_CALIBRATIONS = 20;
const held = globalThis as {
  tesseraCalibrations?: Map<string, { at: number; made: Promise<Calibration> }>;
};

/** Caches calibrations and shares running ones. */
export function cacheCalibration(key: string, make: () => Promise<Calibration>): Promise<Calibration> {
  held.tesseraCalibrations ??= new Map();
  const kept = held.tesseraCalibrations;
  const known = kept.get(key);
  if (known && Date.now() - known.at < CALIBRATION_TTL_MS) return known.made;
  const entry = { at: Date.now(), made: make() };
  kept.set(key, entry);
  if (kept.size > MAX_CALIBRATIONS) kept.delete(kept.keys().next().value as string);
  entry.made.catch(() => kept.get(key) === entry && kept.delete(key));
  return entry.made;
}
