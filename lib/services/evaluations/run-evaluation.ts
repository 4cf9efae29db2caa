import os from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { NotFiniteError } from '@/lib/core/robustness/attacks/victim';
import { type AttackWarning, checkBeforeAttacks } from '@/lib/core/robustness/attacks/warnings';
import type { SuiteReport } from '@/lib/core/robustness/report/report';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import { chooseSaliencyMethod } from '@/lib/core/robustness/saliency/compute-saliency';
import {
  joinReports,
  type Plan,
  planSuites,
  reportsOf,
  type Setting,
  scoresOf,
} from '@/lib/core/robustness/suites';
import { chainSettings } from '@/lib/core/robustness/suites/fmr';
import type { ModelRunner, Row, Variant, VariantContext } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { computeRows, type RowWork } from './compute-rows';
import { collectCrowdVerdicts } from './crowd/ask-crowd';
import { EvaluationOptions } from './evaluation-request';
import { storeEvaluationImages } from './gallery';
import { openGenerator, openOracle } from './open-companions';
import { openModelRunner } from './open-model-runner';
import { type Entry, SamplePool, sampleStratified, toKnownSubject } from './sample-pool';
import {
  ALL_SPLITS,
  hashSources,
  type ImageFacts,
  loadImageFacts,
  poolKey,
  selectImages,
} from './select-images';
import { createSetting, createVariantContext, hashPlan } from './variant-context';

const { evaluations, models } = tables;

/** Images per group; few enough to stay decoded for all variants. */
const TOGETHER = 32;

/** Processes of the evaluated model; each takes a core and the memory of the model. */
const PROCESSES = Math.min(4, os.availableParallelism());

/** Stored result of an evaluation. */
export interface EvaluationMetrics extends SuiteReport {
  images: number;
  /** Split of the images, or `all`. */
  split: string;
  /** sha256 of the image selection. */
  sources: string;
  /** sha256 of the planned variants and the suite versions; missing in evaluations from before it was stored. */
  plan?: string | undefined;
  /** Images of the split with classes that the model does not have. */
  unknown: number;
  /** Number of computed rows; the others were stored before. */
  made: number;
  /** Model runs for the computed rows, to estimate the speed. */
  runs?: number;
  seconds: number;
  /** Capabilities of the model. */
  offers: Setting['offers'];
  /** Suites that could not run, with the reason. */
  left: { suite: string; why: string }[];
}

/**
 * Runs an evaluation. A restarted evaluation reuses stored rows. Progress and failure are recorded by its job.
 */
export async function runEvaluation(
  context: JobContext,
  { evaluationId }: { evaluationId: string },
): Promise<Record<string, unknown>> {
  const { db } = context;
  const [evaluation] = await db.select().from(evaluations).where(eq(evaluations.id, evaluationId));
  if (!evaluation) throw notFound('evaluation');
  const began = performance.now();
  const metrics = await evaluate(context, evaluation);
  if (!metrics) return { evaluationId, waits: true };
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  await db
    .update(evaluations)
    .set({ state: 'done', metrics: { ...metrics, seconds }, finishedAt: sql`now()` })
    .where(eq(evaluations.id, evaluationId));
  return { evaluationId };
}

async function evaluate(
  context: JobContext,
  evaluation: typeof evaluations.$inferSelect,
): Promise<Omit<EvaluationMetrics, 'seconds'> | null> {
  const { db, storage, signal } = context;
  const { projectId, versionId, suite: suiteId } = evaluation;
  const options = EvaluationOptions.parse(evaluation.options);
  const [model] = await db.select().from(models).where(eq(models.id, evaluation.modelId));
  if (!model) throw notFound('model');
  const contract = readServingContract(model.contract);
  const version = await findVersion(db, { projectId, version: versionId });
  const { entries, unknown, split, schema } = await selectImages(context, version, contract.classes, options);
  const pool = new SamplePool(entries, createPictures(storage), contract.input);
  await using runner = await openModelRunner(context, model, PROCESSES);
  await using oracleModels = await openOracle(context, { projectId, ids: options.oracle, model: runner });
  const { generator } = options;
  await using drawing = await openGenerator(context, { projectId, generator, model: runner });
  const offers = {
    gradient: runner.gradient !== null,
    oracle: oracleModels.oracle !== null,
    features: runner.features !== null,
    looking: chooseSaliencyMethod(runner),
    ...(options.crowd && { crowd: true }),
  };
  const setting = createSetting(options, contract, schema, offers, drawing.step ?? undefined);
  const plan = planSuites(suiteId, setting);
  const crowd = options.crowd
    ? await collectCrowdVerdicts(context, {
        evaluationId: evaluation.id,
        projectId,
        versionId,
        stageId: options.crowd,
        pool,
        variants: plan.variants,
        chain: chainSettings(setting),
        seed: options.seed,
        createContext: () => createVariantContext(runner, pool, null, drawing.space),
      })
    : undefined;
  if (crowd === null) return null;
  const { subjects, rows, made, runs } = await evaluateSamples(
    context,
    pool,
    plan,
    await loadImageFacts(db, { projectId, versionId }),
    {
      projectId,
      model: runner.key,
      pool: poolKey(entries),
      // Crowd verdicts belong to one evaluation.
      oracle: crowd ? `crowd ${evaluation.id}` : oracleModels.key,
      generator: drawing.key,
      seed: options.seed,
      createContext: () =>
        createVariantContext(runner, pool, oracleModels.oracle, drawing.space, crowd?.readVerdict),
    },
  );
  const table = new RowTable(subjects, contract.classes, rows);
  const reports: SuiteReport[] = [];
  // Yields to the event loop between reports.
  for (const report of reportsOf(suiteId, table, setting)) {
    reports.push(report);
    await turn();
    signal.throwIfAborted();
  }
  await storeEvaluationImages(db, {
    evaluationId: evaluation.id,
    versionId,
    table,
    variants: plan.variants,
    scores: scoresOf(table, plan),
  });
  const found = joinReports(reports);
  const doubts = await findAttackWarnings(
    runner,
    pool,
    plan.variants,
    createVariantContext(runner, pool, null),
  );
  return {
    ...found,
    notes: [...found.notes, ...doubts, ...(crowd?.notes ?? [])],
    skipped: table.skipped(),
    images: entries.length,
    split: split ?? ALL_SPLITS,
    sources: hashSources(entries),
    plan: hashPlan(suiteId, setting),
    unknown,
    made,
    runs,
    offers: setting.offers,
    left: plan.left,
  };
}

/** Runs groups of images through all variants, so that each picture is decoded once. */
async function evaluateSamples(
  { db, signal, progress }: JobContext,
  pool: SamplePool,
  { variants }: Plan,
  facts: ReadonlyMap<string, ImageFacts>,
  work: Omit<RowWork, 'db' | 'signal' | 'onProgress'>,
): Promise<{ subjects: Subject[]; rows: Row[]; made: number; runs: number }> {
  const { entries } = pool;
  const plans = variants.map((variant) => ({
    variant,
    chosen: new Set<Entry>(sampleStratified(entries, variant.maxImages, work.seed)),
  }));
  const total = plans.reduce((sum, { variant, chosen }) => sum + variant.cells.length * chosen.size, 0);
  const subjects: Subject[] = [];
  const rows: Row[] = [];
  let [done, made, runs] = [0, 0, 0];
  for (let from = 0; from < entries.length; from += TOGETHER) {
    const some = entries.slice(from, from + TOGETHER);
    for (const entry of some)
      subjects.push(toKnownSubject(await pool.sample(entry), entry.image, facts.get(entry.image.source)));
    for (const { variant, chosen } of plans) {
      const onProgress = async (cells: number) => {
        done += cells;
        await progress(done, total, variant.description);
      };
      const found = await computeRows(
        { ...work, db, signal, onProgress },
        variant,
        some.filter((entry) => chosen.has(entry)).map((entry) => ({ load: () => pool.sample(entry) })),
      );
      // Not `push(...rows)`, which is limited by the maximum number of arguments.
      for (const row of found.rows) rows.push(row);
      made += found.made;
      runs += found.runs;
    }
  }
  return { subjects, rows, made, runs };
}

/** Enough to detect randomness or zero gradients; each picture costs three runs. */
const LOOKED_AT = 3;

/** Checks for signs that attacks will overestimate the robust accuracy. */
async function findAttackWarnings(
  { kind }: Pick<ModelRunner, 'kind'>,
  pool: SamplePool,
  variants: readonly Pick<Variant, 'id'>[],
  variantContext: VariantContext,
): Promise<string[]> {
  if (!variants.some(({ id }) => id.startsWith('attack.'))) return [];
  const samples = [];
  for (const entry of pool.entries.slice(0, LOOKED_AT)) samples.push(await pool.sample(entry));
  let found: AttackWarning[] = [];
  try {
    found = await checkBeforeAttacks(samples, variantContext, kind);
  } catch (error) {
    // Non-finite outputs are reported as skipped images.
    if (!(error instanceof NotFiniteError)) throw error;
  }
  return found.map(({ message }) => message);
}
