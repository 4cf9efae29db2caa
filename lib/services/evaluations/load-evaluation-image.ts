import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import { conflict, invalid, notFound, TesseraError } from '@/lib/core/errors';
import { planSuites } from '@/lib/core/robustness/suites';
import type { Sample, Variant } from '@/lib/core/robustness/types';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion } from '@/lib/services/datasets/versions/open-version';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { type EvaluationView, getEvaluation } from './list-evaluations';
import { GRADIENT, modelKey } from './open-model-runner';
import { type Entry, SamplePool } from './sample-pool';
import { poolKey, selectImages } from './select-images';
import { createSetting } from './variant-context';

const { evaluationImages, images, modelFiles, models } = tables;

export type RenderContext = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/** Limits memory: regenerating a picture loads the annotations of all images. */
const MAX_IMAGES = 5000;

/** An image of an evaluation with everything needed to regenerate its variants exactly. */
export interface EvaluationImage {
  evaluation: EvaluationView;
  model: typeof models.$inferSelect;
  /** Key of its rows. */
  modelKey: string;
  poolKey: string;
  classes: readonly string[];
  pool: SamplePool;
  sample: Sample;
  variants: readonly Variant[];
}

export async function loadEvaluationImage(
  context: RenderContext,
  { projectId, evaluationId, imageId }: { projectId: string; evaluationId: string; imageId: string },
): Promise<EvaluationImage> {
  const { db, storage } = context;
  const evaluation = await getEvaluation(db, { projectId, evaluationId });
  const { metrics, options } = evaluation;
  if (!metrics) throw conflict('The evaluation is not finished. Open the image when it is.');
  if (metrics.images > MAX_IMAGES)
    throw invalid(`Variants can be shown for evaluations of at most ${MAX_IMAGES} images.`);
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
  const contract = readServingContract(found.model.contract);
  const version = await findVersion(db, { projectId, version: evaluation.versionId });
  const { entries, schema } = await cacheImages(evaluationId, () =>
    selectImages(context, version, contract.classes, options),
  );
  const entry = entries.find((each) => each.image.source === image.source);
  if (!entry) throw notFound('image');
  const pool = new SamplePool(entries, createPictures(storage), contract.input);
  const setting = createSetting(options, contract, schema, metrics.offers);
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

type Chosen = Awaited<ReturnType<typeof selectImages>>;

/** Caches the images of the last evaluation, because reading the version is slower than rendering a picture. */
const evaluationCache = globalThis as { tesseraLookedAt?: { id: string; chosen: Promise<Chosen> } };

function cacheImages(
  id: string,
  choose: () => Promise<Chosen>,
): Promise<Pick<Chosen, 'schema'> & { entries: readonly Entry[] }> {
  if (evaluationCache.tesseraLookedAt?.id === id) return evaluationCache.tesseraLookedAt.chosen;
  const kept = { id, chosen: choose() };
  evaluationCache.tesseraLookedAt = kept;
  kept.chosen.catch(() => {
    if (evaluationCache.tesseraLookedAt === kept) evaluationCache.tesseraLookedAt = undefined;
  });
  return kept.chosen;
}

/** Maximum size of the picture cache. */
const MAX_BYTES = 48_000_000;
/** Concurrent renderings and queue length; each takes a core. */
const AT_ONCE = 2;
const MAX_WAITING = 12;

interface Kept {
  made: Promise<Buffer[]>;
  bytes: number;
}

/** In-memory cache of rendered pictures, per web process. */
class PictureCache {
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #busy = 0;

  /** Returns cached pictures or renders them; concurrent requests share one rendering. */
  get(name: string, make: () => Promise<Buffer[]>): Promise<Buffer[]> {
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known.made;
    }
    const kept: Kept = { made: this.#inTurn(make), bytes: 0 };
    this.#kept.set(name, kept);
    kept.made.then(
      (pictures) => {
        kept.bytes = pictures.reduce((sum, { length }) => sum + length, 0);
        this.#bytes += kept.bytes;
        this.#forget();
      },
      () => this.#kept.delete(name),
    );
    return kept.made;
  }

  async #inTurn<T>(make: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MAX_WAITING)
      throw new TesseraError('unavailable', 'Too many pictures are being rendered. Try again in a moment.');
    if (this.#busy >= AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    this.#busy += 1;
    try {
      return await make();
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  #forget(): void {
    for (const [name, { bytes }] of this.#kept) {
      if (this.#bytes <= MAX_BYTES) return;
      if (bytes === 0) continue;
      this.#kept.delete(name);
      this.#bytes -= bytes;
    }
  }
}

// Pages and routes are bundled separately and share state through globalThis.
const pictureCache = globalThis as { tesseraMadePictures?: PictureCache };

export function sharedPictureCache(): Pick<PictureCache, 'get'> {
  pictureCache.tesseraMadePictures ??= new PictureCache();
  return pictureCache.tesseraMadePictures;
}
