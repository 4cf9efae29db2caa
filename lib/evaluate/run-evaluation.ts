import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { storedPictures } from '@/lib/datasets/exports/pictures';
import type { VersionImage } from '@/lib/datasets/manifest/line';
import { findVersion } from '@/lib/datasets/versions/find-version';
import { openVersion } from '@/lib/datasets/versions/open-version';
import { invalid, notFound } from '@/lib/errors';
import type { SuiteReport } from '@/lib/evaluation/report/report';
import { RowTable, type Subject } from '@/lib/evaluation/report/row-table';
import { planSuites, reportSuites, type Setting, scoresOf } from '@/lib/evaluation/suites';
import type { Row } from '@/lib/evaluation/types';
import type { JobContext } from '@/lib/jobs';
import { sha256Of } from '@/lib/storage';
import { readServing, type ServingContract } from '@/lib/training/loop/serving-contract';
import { rowsOf } from './fill-rows';
import { keepImages } from './keep-images';
import { EvaluationOptions } from './new-evaluation';
import { openJudges } from './open-judges';
import { openRunner } from './open-runner';
import { SamplePool, stratified, subjectOf } from './sample-pool';
import { surroundings } from './surroundings';

const { evaluations, models } = tables;

/** What an evaluation found, as it is kept. */
export interface EvaluationMetrics extends SuiteReport {
  images: number;
  /** Images of the split that are of classes the model does not know. */
  unknown: number;
  /** Rows that were made now; the others were known. */
  made: number;
  seconds: number;
  /** What the model offers beside logits. */
  offers: Setting['offers'];
  /** Suites that could not be run, and why. */
  left: { suite: string; why: string }[];
}

/** Sees an evaluation through. Begun anew, it finds the rows that were made before. */
export async function runEvaluation(
  context: JobContext,
  { evaluationId }: { evaluationId: string },
): Promise<Record<string, unknown>> {
  const { db } = context;
  const [evaluation] = await db.select().from(evaluations).where(eq(evaluations.id, evaluationId));
  if (!evaluation) throw notFound('evaluation');
  await db.update(evaluations).set({ state: 'running' }).where(eq(evaluations.id, evaluationId));
  const began = performance.now();
  try {
    const metrics = await evaluate(context, evaluation);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    await db
      .update(evaluations)
      .set({ state: 'done', metrics: { ...metrics, seconds }, finishedAt: sql`now()` })
      .where(eq(evaluations.id, evaluationId));
    return { evaluationId };
  } catch (error) {
    await db
      .update(evaluations)
      .set({ state: context.signal.aborted ? 'cancelled' : 'failed', finishedAt: sql`now()` })
      .where(eq(evaluations.id, evaluationId));
    throw error;
  }
}

async function evaluate(
  context: JobContext,
  evaluation: typeof evaluations.$inferSelect,
): Promise<Omit<EvaluationMetrics, 'seconds'>> {
  const { db, storage, signal, progress } = context;
  const { projectId, versionId, suite: suiteId } = evaluation;
  const options = EvaluationOptions.parse(evaluation.options);
  const [model] = await db.select().from(models).where(eq(models.id, evaluation.modelId));
  if (!model) throw notFound('model');
  const contract = readServing(model.contract);
  const version = await findVersion(db, { projectId, version: versionId });
  const { entries, unknown, schema } = await chosenImages(context, version, contract, options);
  const pool = new SamplePool(entries, storedPictures(storage), {
    kind: contract.input.view,
    side: contract.input.side,
  });
  await using runner = await openRunner(context, model);
  await using judges = await openJudges(context, { projectId, ids: options.oracle, model: runner });
  const setting: Setting = {
    preset: options.preset,
    seed: options.seed,
    classes: contract.classes,
    attributes: schema.attributes.filter(({ kind }) => kind === 'localised').map(({ id }) => id),
    side: contract.input.side,
    offers: { gradient: runner.gradient !== null, oracle: judges.oracle !== null },
  };
  const plan = planSuites(suiteId, setting);
  const { variants, left } = plan;
  const total = variants.reduce(
    (sum, { cells, most }) => sum + cells.length * Math.min(most, entries.length),
    0,
  );
  const rows: Row[] = [];
  let [done, made] = [0, 0];
  const subjects: Subject[] = [];
  for (const entry of entries) subjects.push(subjectOf(await pool.sample(entry)));
  for (const variant of variants) {
    const found = await rowsOf(
      {
        db,
        projectId,
        model: modelKey(model.blob, contract),
        pool: poolKey(entries),
        oracle: judges.key,
        seed: options.seed,
        around: () => surroundings(runner, pool, judges.oracle),
        signal,
        tell: async (cells) => {
          done += cells;
          await progress(done, total, variant.says);
        },
      },
      variant,
      stratified(entries, variant.most, options.seed).map((entry) => ({
        id: entry.image.source,
        load: () => pool.sample(entry),
      })),
    );
    rows.push(...found.rows);
    made += found.made;
  }
  const table = new RowTable(subjects, contract.classes, rows);
  const report = reportSuites(suiteId, table, setting);
  await keepImages(db, {
    evaluationId: evaluation.id,
    versionId,
    table,
    scores: scoresOf(table, plan),
  });
  return {
    ...report,
    skipped: table.skipped(),
    images: entries.length,
    unknown,
    made,
    offers: setting.offers,
    left,
  };
}

/** Images of the split whose class the model knows, at most as many as were asked for. */
async function chosenImages(
  { db, storage }: JobContext,
  version: Awaited<ReturnType<typeof findVersion>>,
  { classes }: ServingContract,
  { split, images: most, seed }: EvaluationOptions,
) {
  const dataset = await openVersion(db, storage, version);
  const isSplit = dataset.splits.includes(split);
  const found: { image: VersionImage; classIndex: number }[] = [];
  let unknown = 0;
  for await (const image of dataset.images()) {
    if (isSplit && image.split !== split) continue;
    const classIndex = classes.indexOf(image.className ?? '');
    if (classIndex === -1) unknown += 1;
    else found.push({ image, classIndex });
  }
  if (found.length === 0)
    throw invalid(
      unknown > 0
        ? `None of the ${unknown} images is of a class that the model knows (${classes.slice(0, 5).join(', ')} …). Choose a version with these classes.`
        : 'There is no image to evaluate on: choose another split or version.',
    );
  return { entries: stratified(found, most, seed), unknown, schema: dataset.schema };
}

/** The same file, given pictures in another way, is another model. */
const modelKey = (blob: string, { input, outputs, classes }: ServingContract): string =>
  sha256Of(Buffer.from(JSON.stringify([blob, input, outputs, classes])));

function poolKey(entries: readonly { image: VersionImage }[]): string {
  const hash = createHash('sha256');
  for (const { image } of entries) hash.update(image.source);
  return hash.digest('hex');
}
