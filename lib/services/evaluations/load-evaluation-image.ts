import { and, eq } from 'drizzle-orm';
import { tables } from '@/db';
import { conflict, invalid, notFound, TesseraError } from '@/lib/core/errors';
import { planSuites } from '@/lib/core/robustness/suites';
import type { Sample, Variant } from '@/lib/core/robustness/types';
import { storedPictures } from '@/lib/services/datasets/exports/pictures';
import { findVersion } from '@/lib/services/datasets/versions/find-version';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import type { JobContext } from '@/lib/services/jobs';
import { type EvaluationView, getEvaluation } from './list-evaluations';
import { GRADIENT, modelKey } from './open-model-runner';
import { type Entry, SamplePool } from './sample-pool';
import { poolKey, selectImages } from './select-images';
import { createSetting } from './variant-context';

const { evaluationImages, images, modelFiles, models } = tables;

export type RenderContext = Pick<JobContext, 'db' | 'storage' | 'signal'>;

/** Of more images the outlines of all would be in memory, to make one picture. */
const MAX_IMAGES = 5000;

/** An image of an evaluation with all that is needed to change it again exactly as it was changed there. */
export interface EvaluationImage {
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

export async function loadEvaluationImage(
  context: RenderContext,
  { projectId, evaluationId, imageId }: { projectId: string; evaluationId: string; imageId: string },
): Promise<EvaluationImage> {
  const { db, storage } = context;
  const evaluation = await getEvaluation(db, { projectId, evaluationId });
  const { metrics, options } = evaluation;
  if (!metrics) throw conflict('The evaluation has not ended: its pictures can be seen when it has.');
  if (metrics.images > MAX_IMAGES)
    throw invalid(`Pictures are made again for evaluations of at most ${MAX_IMAGES} images.`);
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
  const pool = new SamplePool(entries, storedPictures(storage), contract.input);
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

/** Of the evaluation that is looked at: reading the version for every picture would take longer than making it. */
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

/** Bytes of pictures that are kept for whoever looks at the same image next. */
const MAX_BYTES = 48_000_000;
/** Made at once, and waiting for that: each takes a core, some a process. */
const AT_ONCE = 2;
const MAX_WAITING = 12;

interface Kept {
  made: Promise<Buffer[]>;
  bytes: number;
}

/** In the memory of one web process: made anew after a restart, or by another process. */
class PictureCache {
  readonly #kept = new Map<string, Kept>();
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;
  #busy = 0;

  /** The pictures of that name: kept, being made for somebody else, or made now. */
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
      throw new TesseraError('unavailable', 'Many pictures are being made: try again in a moment.');
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

// Pages and routes are bundled apart: what they share lies here.
const pictureCache = globalThis as { tesseraMadePictures?: PictureCache };

export function sharedPictureCache(): Pick<PictureCache, 'get'> {
  pictureCache.tesseraMadePictures ??= new PictureCache();
  return pictureCache.tesseraMadePictures;
}
