import os from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { SuiteReport } from '@/lib/core/robustness/report/report';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import { bestLooking } from '@/lib/core/robustness/saliency/look';
import {
  joined,
  type Plan,
  planSuites,
  reportsOf,
  type Setting,
  scoresOf,
} from '@/lib/core/robustness/suites';
import { chainOf } from '@/lib/core/robustness/suites/fmr';
import type { Row } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServing } from '@/lib/services/inference/predictions/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { attackDoubts } from './attack-doubts';
import { chosenImages, poolKey, sourcesKey } from './chosen-images';
import { ALL } from './chosen-split';
import { askCrowd } from './crowd/ask-crowd';
import { type RowWork, rowsOf } from './fill-rows';
import { type ImageFacts, imageFacts } from './image-facts';
import { keepImages } from './keep-images';
import { EvaluationOptions } from './new-evaluation';
import { openGenerator } from './open-generator';
import { openJudges } from './open-judges';
import { openRunner } from './open-runner';
import { type Entry, knownSubject, SamplePool, stratified } from './sample-pool';
import { settingOf } from './setting-of';
import { surroundings } from './surroundings';

const { evaluations, models } = tables;

/** Images that go through all variants together: few enough to stay decoded until the last of them. */
const TOGETHER = 32;

/** Of the model that is evaluated: each takes a core and the model's memory. */
const PROCESSES = Math.min(4, os.availableParallelism());

/** What an evaluation found, as it is kept. */
export interface EvaluationMetrics extends SuiteReport {
  images: number;
  /** The split that they are of; `all` where it was not asked for one. */
  split: string;
  /** sha256 of which pictures they are. */
  sources: string;
  /** Images of the split that are of classes the model does not know. */
  unknown: number;
  /** Rows that were made now; the others were known. */
  made: number;
  /** How often the model was asked for them; with the time it took, how fast such a work is. */
  runs?: number;
  seconds: number;
  /** What the model offers beside logits. */
  offers: Setting['offers'];
  /** Suites that could not be run, and why. */
  left: { suite: string; why: string }[];
}

/**
 * Sees an evaluation through. Begun anew, it finds the rows that were made before. Only the end is written here: how far
 * it is, and whether it failed, is told by its job.
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
  const contract = readServing(model.contract);
  const version = await findVersion(db, { projectId, version: versionId });
  const { entries, unknown, split, schema } = await chosenImages(context, version, contract.classes, options);
  const pool = new SamplePool(entries, createPictures(storage), contract.input);
  await using runner = await openRunner(context, model, PROCESSES);
  await using judges = await openJudges(context, { projectId, ids: options.oracle, model: runner });
  const { generator } = options;
  await using drawing = await openGenerator(context, { projectId, generator, model: runner });
  const offers = {
    gradient: runner.gradient !== null,
    oracle: judges.oracle !== null,
    features: runner.features !== null,
    looking: bestLooking(runner),
    ...(options.crowd && { crowd: true }),
  };
  const setting = settingOf(options, contract, schema, offers, drawing.step ?? undefined);
  const plan = planSuites(suiteId, setting);
  const crowd = options.crowd
    ? await askCrowd(context, {
        evaluationId: evaluation.id,
        projectId,
        versionId,
        stageId: options.crowd,
        pool,
        variants: plan.variants,
        chain: chainOf(setting),
        seed: options.seed,
        around: () => surroundings(runner, pool, null, drawing.space),
      })
    : undefined;
  if (crowd === null) return null;
  const { subjects, rows, made, runs } = await askAll(
    context,
    pool,
    plan,
    await imageFacts(db, { projectId, versionId }),
    {
      projectId,
      model: runner.key,
      pool: poolKey(entries),
      // What people said about one evaluation's pictures is nobody else's.
      oracle: crowd ? `crowd ${evaluation.id}` : judges.key,
      generator: drawing.key,
      seed: options.seed,
      around: () => surroundings(runner, pool, judges.oracle, drawing.space, crowd?.hear),
    },
  );
  const table = new RowTable(subjects, contract.classes, rows);
  const reports: SuiteReport[] = [];
  // A report over many images takes a while: the process answers in between.
  for (const report of reportsOf(suiteId, table, setting)) {
    reports.push(report);
    await turn();
    signal.throwIfAborted();
  }
  await keepImages(db, {
    evaluationId: evaluation.id,
    versionId,
    table,
    variants: plan.variants,
    scores: scoresOf(table, plan),
  });
  const found = joined(reports);
  const doubts = await attackDoubts(runner, pool, plan.variants, surroundings(runner, pool, null));
  return {
    ...found,
    notes: [...found.notes, ...doubts, ...(crowd?.notes ?? [])],
    skipped: table.skipped(),
    images: entries.length,
    split: split ?? ALL,
    sources: sourcesKey(entries),
    unknown,
    made,
    runs,
    offers: setting.offers,
    left: plan.left,
  };
}

/** Some images after the others through all variants, so that a picture is decoded once for all of them. */
async function askAll(
  { db, signal, progress }: JobContext,
  pool: SamplePool,
  { variants }: Plan,
  facts: ReadonlyMap<string, ImageFacts>,
  work: Omit<RowWork, 'db' | 'signal' | 'tell'>,
): Promise<{ subjects: Subject[]; rows: Row[]; made: number; runs: number }> {
  const { entries } = pool;
  const plans = variants.map((variant) => ({
    variant,
    chosen: new Set<Entry>(stratified(entries, variant.most, work.seed)),
  }));
  const total = plans.reduce((sum, { variant, chosen }) => sum + variant.cells.length * chosen.size, 0);
  const subjects: Subject[] = [];
  const rows: Row[] = [];
  let [done, made, runs] = [0, 0, 0];
  for (let from = 0; from < entries.length; from += TOGETHER) {
    const some = entries.slice(from, from + TOGETHER);
    for (const entry of some)
      subjects.push(knownSubject(await pool.sample(entry), entry.image, facts.get(entry.image.source)));
    for (const { variant, chosen } of plans) {
      const tell = async (cells: number) => {
        done += cells;
        await progress(done, total, variant.says);
      };
      const found = await rowsOf(
        { ...work, db, signal, tell },
        variant,
        some.filter((entry) => chosen.has(entry)).map((entry) => ({ load: () => pool.sample(entry) })),
      );
      // One by one: a call takes so many arguments and no more.
      for (const row of found.rows) rows.push(row);
      made += found.made;
      runs += found.runs;
    }
  }
  return { subjects, rows, made, runs };
}
