import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { planSuites } from '@/lib/core/robustness/suites';
import type { Sample, Variant } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServing } from '@/lib/services/inference/predictions/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { chosenImages, poolKey } from './chosen-images';
import { type EvaluationView, getEvaluation } from './list-evaluations';
import { modelKey } from './model-key';
import { GRADIENT } from './open-runner';
import { type Entry, SamplePool } from './sample-pool';
import { settingOf } from './setting-of';

const { evaluationImages, images, modelFiles, models } = tables;

export type LookContext = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/** Of more images the outlines of all would be in memory, to make one picture. */
const MOST_IMAGES = 5000;

/** An image of an evaluation with all that is needed to change it again exactly as it was changed there. */
export interface LookedAt {
  evaluation: EvaluationView;
  model: typeof models.$inferSelect;
  /** The names that its rows go by. */
  modelKey: string;
  poolKey: string;
  classes: readonly string[];
  pool: SamplePool;
  sample: Sample;
  variants: readonly Variant[];
}

export async function lookedAt(
  context: LookContext,
  { projectId, evaluationId, imageId }: { projectId: string; evaluationId: string; imageId: string },
): Promise<LookedAt> {
  const { db, storage } = context;
  const evaluation = await getEvaluation(db, { projectId, evaluationId });
  const { metrics, options } = evaluation;
  if (!metrics) throw conflict('The evaluation has not ended: its pictures can be seen when it has.');
  if (metrics.images > MOST_IMAGES)
    throw invalid(`Pictures are made again for evaluations of at most ${MOST_IMAGES} images.`);
  const [image] = await db
    .select({ source: images.sourceSha256 })
    .from(evaluationImages)
    .innerJoin(images, eq(images.id, evaluationImages.imageId))
    .where(and(eq(evaluationImages.evaluationId, evaluationId), eq(evaluationImages.imageId, imageId)));
  if (!image) throw notFound('image');
  const [found] = await db
    .select({ model: models, gradient: modelFiles.blob })
    .from(models)
    .leftJoin(modelFiles, and(eq(modelFiles.modelId, models.id), eq(modelFiles.kind, GRADIENT)))
    .where(eq(models.id, evaluation.modelId));
  if (!found) throw notFound('model');
  const contract = readServing(found.model.contract);
  const version = await findVersion(db, { projectId, version: evaluation.versionId });
  const { entries, schema } = await keptImages(evaluationId, () =>
    chosenImages(context, version, contract.classes, options),
  );
  const entry = entries.find((each) => each.image.source === image.source);
  if (!entry) throw notFound('image');
  const pool = new SamplePool(entries, createPictures(storage), contract.input);
  const setting = settingOf(options, contract, schema, metrics.offers);
  return {
    evaluation,
    model: found.model,
    modelKey: modelKey(found.model, found.gradient),
    poolKey: poolKey(entries),
    classes: contract.classes,
    pool,
    sample: await pool.sample(entry),
    variants: planSuites(evaluation.suite, setting).variants,
  };
}

type Chosen = Awaited<ReturnType<typeof chosenImages>>;

/** Of the evaluation that is looked at: reading the version for every picture would take longer than making it. */
const held = globalThis as { tesseraLookedAt?: { id: string; chosen: Promise<Chosen> } };

function keptImages(
  id: string,
  choose: () => Promise<Chosen>,
): Promise<Pick<Chosen, 'schema'> & { entries: readonly Entry[] }> {
  if (held.tesseraLookedAt?.id === id) return held.tesseraLookedAt.chosen;
  const kept = { id, chosen: choose() };
  held.tesseraLookedAt = kept;
  kept.chosen.catch(() => {
    if (held.tesseraLookedAt === kept) held.tesseraLookedAt = undefined;
  });
  return kept.chosen;
}
