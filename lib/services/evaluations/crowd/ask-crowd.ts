import { and, eq, inArray } from 'drizzle-orm';
import { tables } from '@/db';
import { generateChain } from '@/lib/core/robustness/fmr/chain';
import type { Generator } from '@/lib/core/robustness/fmr/generators';
import { type CrowdVerdict, createLossScore, crowdVariant } from '@/lib/core/robustness/fmr/variants';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import type { Planned } from '@/lib/core/robustness/suites';
import type { Sample, VariantContext } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { type SamplePool, sampleStratified } from '../sample-pool';
import { askNextQuestions } from './ask-round';
import type { ChainState } from './chain-states';

const { evaluations } = tables;

const MAX_BYTES = 512 * 1024 * 1024;

/** Returns the verdict about an image; null while questions are open. */
type VerdictReader = (sample: Sample) => Promise<CrowdVerdict | null>;

/**
 * Generates the chains of an evaluation and creates questions about them. Returns null while answers are missing; then the
 * evaluation waits and is resumed when the answers are submitted.
 */
export async function collectCrowdVerdicts(
  context: JobContext,
  {
    projectId,
    stageId,
    variants,
    ...chaining
  }: Omit<Chaining, 'variant'> & {
    projectId: string;
    stageId: string;
    /** All planned variants, including the one that workers judge. */
    variants: readonly Planned[];
  },
): Promise<{ readVerdict: VerdictReader; notes: string[] } | null> {
  const { db } = context;
  const { evaluationId } = chaining;
  const { id } = crowdVariant(chaining.chain);
  const variant = variants.find((each) => each.id === id);
  if (!variant) throw new Error('The plan has no crowd variant.');
  await createChains(context, { ...chaining, variant });
  // Set before questions exist, so that an early answer finds an evaluation to resume.
  const [waits] = await db
    .update(evaluations)
    .set({ state: 'waiting' })
    .where(
      and(eq(evaluations.id, evaluationId), inArray(evaluations.state, ['queued', 'running', 'waiting'])),
    )
    .returning({ id: evaluations.id });
  // It was stopped in the meantime.
  if (!waits) return null;
  const { chains, left } = await askNextQuestions(context, { evaluationId, projectId, stageId });
  if (left > 0) return null;
  const [claimed] = await db
    .update(evaluations)
    .set({ state: 'running' })
    .where(and(eq(evaluations.id, evaluationId), eq(evaluations.state, 'waiting')))
    .returning({ id: evaluations.id });
  return claimed
    ? { readVerdict: createVerdictReader(context, chains), notes: [describeCrowd(chains)] }
    : null;
}

function createVerdictReader({ storage }: JobContext, chains: readonly ChainState[]): VerdictReader {
  const bySource = new Map(chains.map((chain) => [chain.source, chain]));
  return async ({ id }) => {
    const chain = bySource.get(id);
    if (!chain || !('last' in chain.next) || chain.isCleanRight === null) return null;
    const at = chain.next.last;
    if (at === null) return { last: null, isCleanRight: chain.isCleanRight };
    const bytes = chainPictureBytes(await storage.read(chain.blob, MAX_BYTES), chain, at);
    return { last: { at, picture: fromRgbBytes(bytes, chain) }, isCleanRight: chain.isCleanRight };
  };
}

const describeCrowd = (chains: readonly ChainState[]): string => {
  const questions = chains.reduce((sum, { asked }) => sum + asked.size, 0);
  return `Crowd oracle: ${questions} questions about ${chains.length} images. A picture counts as recognised if more than half of its workers chose the class.`;
};

const { images, oracleChains, versionImages } = tables;

interface Chaining {
  evaluationId: string;
  versionId: string;
  pool: SamplePool;
  variant: Planned;
  chain: { generator: Generator; budget: number };
  seed: number;
  createContext(): VariantContext;
}

/**
 * Generates and stores the whole chain of every image; workers judge a few of its pictures. Existing chains are kept after a
 * restart.
 */
async function createChains(
  { db, storage, signal, progress }: JobContext,
  { evaluationId, versionId, pool, variant, chain, seed, createContext: variantContext }: Chaining,
): Promise<void> {
  const known = await db
    .select({ imageId: versionImages.imageId, source: images.sourceSha256 })
    .from(versionImages)
    .innerJoin(images, eq(images.id, versionImages.imageId))
    .where(eq(versionImages.versionId, versionId));
  const idOf = new Map(known.map(({ imageId, source }) => [source, imageId]));
  const made = await db
    .select({ imageId: oracleChains.imageId })
    .from(oracleChains)
    .where(eq(oracleChains.evaluationId, evaluationId));
  const there = new Set(made.map(({ imageId }) => imageId));
  const entries = sampleStratified(pool.entries, variant.maxImages, seed);
  let done = 0;
  for (const entry of entries) {
    signal.throwIfAborted();
    await progress(done++, entries.length, 'Generating adversarial examples');
    const imageId = idOf.get(entry.image.source);
    if (!imageId || there.has(imageId)) continue;
    const sample = await pool.sample(entry);
    const own = variantContext();
    const [cell] = variant.cells;
    const rng = createRng(
      rngKey({
        seed,
        sample: sample.id,
        variant: variant.id,
        level: cell?.level ?? 0,
        trial: cell?.trial ?? 0,
      }),
    );
    const settings = { ...chain, space: own.latents };
    const pictures = await generateChain(sample.picture, settings, rng, createLossScore(sample, own));
    const bytes = Buffer.concat([sample.picture, ...pictures].map(toRgbBytes));
    const blob = await putBlob(db, storage, bytes, { mediaType: 'application/octet-stream' });
    await db
      .insert(oracleChains)
      .values({
        evaluationId,
        imageId,
        className: sample.className,
        width: sample.picture.width,
        height: sample.picture.height,
        length: pictures.length,
        blob: blob.sha256,
      })
      .onConflictDoNothing();
  }
}

/** Converts a picture to interleaved RGB bytes. */
function toRgbBytes({ width, height, data }: Picture): Uint8Array {
  const area = width * height;
  const bytes = new Uint8Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * Math.min(1, Math.max(0, data[c * area + i] as number)));
  return bytes;
}

function fromRgbBytes(bytes: Uint8Array, { width, height }: { width: number; height: number }): Picture {
  const area = width * height;
  const data = new Float32Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++) data[c * area + i] = (bytes[CHANNELS * i + c] as number) / 255;
  return { width, height, data };
}

/** Step of the clean picture; the first perturbed picture is step 0. */
export const CLEAN = -1;

/** Bytes of one picture of a stored chain, which starts with the clean picture. */
export function chainPictureBytes(
  chain: Uint8Array,
  size: { width: number; height: number },
  step: number,
): Uint8Array {
  const each = CHANNELS * size.width * size.height;
  const from = (step - CLEAN) * each;
  if (from < 0 || from + each > chain.length) throw new Error(`The chain has no step ${step}.`);
  return chain.subarray(from, from + each);
}
