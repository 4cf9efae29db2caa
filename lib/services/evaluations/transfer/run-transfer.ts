import { and, eq, inArray, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { transferVariant } from '@/lib/core/robustness/fmr/variants';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import type { Setting } from '@/lib/core/robustness/suites';
import { planChainVariant } from '@/lib/core/robustness/suites/fmr';
import type { Outcome, Row, Variant } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { computeRows, type RowWork } from '../compute-rows';
import type { EvaluationView } from '../list-evaluations';
import { type OracleModels, openGenerator, openOracle } from '../open-companions';
import { type OpenedModel, openModelRunner } from '../open-model-runner';
import { type Entry, SamplePool, sampleStratified } from '../sample-pool';
import { mapSourcesToImages, poolKey, selectImages } from '../select-images';
import { createSetting, createVariantContext } from '../variant-context';
import { pictureToPng } from '../variant-pictures';
import { loadTransferEvaluations } from './start-transfer';

const { evaluationTransfers } = tables;

/** Images per group. */
const TOGETHER = 16;

/**
 * Regenerates the adversarial examples of each model exactly as in its evaluation and evaluates all other models on them.
 * Results are stored as rows; a restart computes only missing ones.
 */
export async function runTransfer(
  context: JobContext,
  { projectId, evaluationIds }: { projectId: string; evaluationIds: readonly string[] },
): Promise<Record<string, unknown>> {
  const evaluations = await loadTransferEvaluations(context.db, { projectId, ids: evaluationIds });
  const idOf = await mapSourcesToImages(context.db, (evaluations[0] as (typeof evaluations)[0]).versionId);
  const seats: OpenEvaluation[] = [];
  try {
    for (const evaluation of evaluations) seats.push(await openEvaluation(context, evaluation, projectId));
    let shown = 0;
    for (const [at, maker] of seats.entries())
      shown += await transferFrom(context, { projectId, maker, seats, idOf, at });
    return { shown };
  } finally {
    for (const seat of seats) await seat[Symbol.asyncDispose]();
  }
}

interface Showing {
  projectId: string;
  maker: OpenEvaluation;
  seats: readonly OpenEvaluation[];
  idOf: ReadonlyMap<string, string>;
  /** Index of the source model. */
  at: number;
}

async function transferFrom(
  context: JobContext,
  { projectId, maker, seats, idOf, at }: Showing,
): Promise<number> {
  const { db, storage, signal } = context;
  const { options, model } = maker.evaluation;
  const { seed } = options;
  await using oracleModels = await openOracle(context, {
    projectId,
    ids: options.oracle,
    model: maker.runner,
  });
  await using drawing = await openGenerator(context, {
    ...{ projectId, generator: options.generator, model: maker.runner },
  });
  const own = planChainVariant(maker.setting(drawing.step));
  const chosen = sampleStratified(maker.entries, own.maxImages, seed).filter(({ image }) =>
    idOf.has(image.source),
  );
  const isDone = await findTransferred(context, maker, seats);
  const open = chosen.filter(({ image }) => !isDone(idOf.get(image.source) ?? ''));
  const [total, before] = [seats.length * chosen.length, at * chosen.length];
  for (let from = 0; from < open.length; from += TOGETHER) {
    const some = open.slice(from, from + TOGETHER);
    const made = createPictureMaker(maker, own, oracleModels, drawing.space);
    const shown = transferVariant(own, { from: maker.runner.key, made });
    const found = new Map<OpenEvaluation, Map<string, Row>>();
    for (const seat of seats) {
      const work: RowWork = {
        ...{ db, projectId, signal, seed, model: seat.runner.key, pool: seat.poolKey },
        ...{ oracle: oracleModels.key, generator: drawing.key },
        createContext: () => createVariantContext(seat.runner, seat.pool, oracleModels.oracle, drawing.space),
        onProgress: async () => {},
      };
      // The results of the source model itself are stored.
      const { rows } = await computeRows(work, seat === maker ? own : shown, samplesOf(seat, some));
      found.set(seat, new Map(rows.map((row) => [row.sample, row])));
    }
    for (const { image } of some) {
      const validated = found.get(maker)?.get(image.source)?.extra.isValidated === 1;
      const outcome = validated ? await made(image.source) : null;
      const png = outcome && 'picture' in outcome ? await pictureToPng(outcome.picture) : null;
      const blob = png && (await putBlob(db, storage, png, { mediaType: 'image/png' })).sha256;
      const values = seats.flatMap((seat) => {
        const row = found.get(seat)?.get(image.source);
        if (!row || row.reason !== null) return [];
        return {
          ...{ fromId: maker.evaluation.id, toId: seat.evaluation.id, imageId: idOf.get(image.source) ?? '' },
          ...{ isValidated: blob !== null, predicted: seat.classes[row.predicted] ?? '', blob },
          pTrue: row.pTrue,
        };
      });
      if (values.length > 0) await db.insert(evaluationTransfers).values(values).onConflictDoNothing();
    }
    await context.progress(before + from + some.length, total, `Pictures made against ${model}`);
  }
  return open.length;
}

const samplesOf = (seat: OpenEvaluation, entries: readonly Entry[]) =>
  entries.flatMap(({ image }) => {
    const entry = seat.entryOf.get(image.source);
    return entry ? [{ load: () => seat.pool.sample(entry) }] : [];
  });

/** Generates each example once, with the random numbers of its evaluation. */
function createPictureMaker(
  { pool, entryOf, runner, evaluation }: OpenEvaluation,
  variant: Variant,
  oracleModels: OracleModels,
  space: Parameters<typeof createVariantContext>[3],
): (sample: string) => Promise<Outcome> {
  const kept = new Map<string, Promise<Outcome>>();
  const [cell] = variant.cells;
  const make = async (source: string): Promise<Outcome> => {
    const entry = entryOf.get(source);
    if (!entry || !cell) throw new Error('The source model does not have the image.');
    const sample = await pool.sample(entry);
    const rng = createRng(
      rngKey({
        ...{ seed: evaluation.options.seed, sample: sample.id, variant: variant.rngName ?? variant.id },
        ...cell,
      }),
    );
    return variant.apply(sample, cell, rng, createVariantContext(runner, pool, oracleModels.oracle, space));
  };
  return (source) => {
    const known = kept.get(source) ?? make(source);
    kept.set(source, known);
    return known;
  };
}

/** Finds the images whose transfer results are complete for a source model. */
async function findTransferred(
  { db }: JobContext,
  maker: OpenEvaluation,
  seats: readonly OpenEvaluation[],
): Promise<(imageId: string) => boolean> {
  const rows = await db
    .select({ imageId: evaluationTransfers.imageId })
    .from(evaluationTransfers)
    .where(
      and(
        eq(evaluationTransfers.fromId, maker.evaluation.id),
        inArray(
          evaluationTransfers.toId,
          seats.map(({ evaluation }) => evaluation.id),
        ),
      ),
    )
    .groupBy(evaluationTransfers.imageId)
    .having(sql`count(*) = ${seats.length}`);
  const done = new Set(rows.map(({ imageId }) => imageId));
  return (imageId) => done.has(imageId);
}

const { models } = tables;

/** Sample cache per model; several models are open. */
const KEPT_BYTES = 16_000_000;

/** An opened model with the images of its evaluation. */
interface OpenEvaluation extends AsyncDisposable {
  evaluation: EvaluationView;
  runner: OpenedModel;
  classes: readonly string[];
  pool: SamplePool;
  poolKey: string;
  /** In the order of the version. */
  entries: readonly Entry[];
  entryOf: ReadonlyMap<string, Entry>;
  /** Setting of the evaluation, with the step size of a decoder. */
  setting(step: number | null): Setting;
}

async function openEvaluation(
  context: JobContext,
  evaluation: EvaluationView,
  projectId: string,
): Promise<OpenEvaluation> {
  const { db, storage } = context;
  const { options, metrics } = evaluation;
  const [model] = await db.select().from(models).where(eq(models.id, evaluation.modelId));
  if (!model || !metrics) throw notFound('model');
  const contract = readServingContract(model.contract);
  const version = await findVersion(db, { projectId, version: evaluation.versionId });
  const { entries, schema } = await selectImages(context, version, contract.classes, options);
  const runner = await openModelRunner(context, model);
  return {
    evaluation,
    runner,
    classes: contract.classes,
    pool: new SamplePool(entries, createPictures(storage), contract.input, KEPT_BYTES),
    poolKey: poolKey(entries),
    entries,
    entryOf: new Map(entries.map((entry) => [entry.image.source, entry])),
    setting: (step) => createSetting(options, contract, schema, metrics.offers, step ?? undefined),
    [Symbol.asyncDispose]: async () => runner[Symbol.asyncDispose](),
  };
}
