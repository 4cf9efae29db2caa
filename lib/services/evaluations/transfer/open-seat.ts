import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { Setting } from '@/lib/core/robustness/suites';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServing } from '@/lib/services/inference/predictions/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { chosenImages, poolKey } from '../chosen-images';
import type { EvaluationView } from '../list-evaluations';
import { type OpenedModel, openRunner } from '../open-runner';
import { type Entry, SamplePool } from '../sample-pool';
import { settingOf } from '../setting-of';

const { models } = tables;

/** Of the samples of one model: several are open. */
const KEPT_BYTES = 16_000_000;

/** A model that is open, with the images as it sees them. */
export interface Seat extends AsyncDisposable {
  evaluation: EvaluationView;
  runner: OpenedModel;
  classes: readonly string[];
  pool: SamplePool;
  poolKey: string;
  /** In the order of the version. */
  entries: readonly Entry[];
  entryOf: ReadonlyMap<string, Entry>;
  /** What it was asked with; the step of a decoder where there is one. */
  setting(step: number | null): Setting;
}

export async function openSeat(
  context: JobContext,
  evaluation: EvaluationView,
  projectId: string,
): Promise<Seat> {
  const { db, storage } = context;
  const { options, metrics } = evaluation;
  const [model] = await db.select().from(models).where(eq(models.id, evaluation.modelId));
  if (!model || !metrics) throw notFound('model');
  const contract = readServing(model.contract);
  const version = await findVersion(db, { projectId, version: evaluation.versionId });
  const { entries, schema } = await chosenImages(context, version, contract.classes, options);
  const runner = await openRunner(context, model);
  return {
    evaluation,
    runner,
    classes: contract.classes,
    pool: new SamplePool(entries, createPictures(storage), contract.input, KEPT_BYTES),
    poolKey: poolKey(entries),
    entries,
    entryOf: new Map(entries.map((entry) => [entry.image.source, entry])),
    setting: (step) => settingOf(options, contract, schema, metrics.offers, step ?? undefined),
    [Symbol.asyncDispose]: async () => runner[Symbol.asyncDispose](),
  };
}
