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

/** What people said about an image; null while they are still being asked. */
type VerdictReader = (sample: Sample) => Promise<CrowdVerdict | null>;

/**
 * Makes the chains of an evaluation and asks people about them. Null while answers are wanted: then the evaluation waits,
 * and whoever hands in the answers has it go on.
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
    /** All of the plan: one of them is what people judge. */
    variants: readonly Planned[];
  },
): Promise<{ hear: VerdictReader; notes: string[] } | null> {
  const { db } = context;
  const { evaluationId } = chaining;
  const { id } = crowdVariant(chaining.chain);
  const variant = variants.find((each) => each.id === id);
  if (!variant) throw new Error('The plan has nothing that people judge.');
  await createChains(context, { ...chaining, variant });
  // Before anybody is asked: an answer that comes at once has to find somebody to wake.
  const [waits] = await db
    .update(evaluations)
    .set({ state: 'waiting' })
    .where(
      and(eq(evaluations.id, evaluationId), inArray(evaluations.state, ['queued', 'running', 'waiting'])),
    )
    .returning({ id: evaluations.id });
  // Somebody stopped it meanwhile.
  if (!waits) return null;
  const { chains, left } = await askNextQuestions(context, { evaluationId, projectId, stageId });
  if (left > 0) return null;
  const [claimed] = await db
    .update(evaluations)
    .set({ state: 'running' })
    .where(and(eq(evaluations.id, evaluationId), eq(evaluations.state, 'waiting')))
    .returning({ id: evaluations.id });
  return claimed ? { hear: createVerdictReader(context, chains), notes: [describeCrowd(chains)] } : null;
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
  return `The oracle of FMR was the crowd: people were asked ${questions} questions about ${chains.length} images, and a picture counts as recognised where more than half of those who saw it named its class.`;
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
 * Drives every image as far as the budget goes, whatever anybody sees in it, and keeps all of the pictures: people will
 * be asked about few of them. What was made before a stop is not made again.
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
  const entries = sampleStratified(pool.entries, variant.most, seed);
  let done = 0;
  for (const entry of entries) {
    signal.throwIfAborted();
    await progress(done++, entries.length, 'Driving pictures away from the model');
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

/** Red, green and blue of each pixel, as a file of a picture has them. */
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

/** The clean picture has this place, the first that it was driven to has 0. */
export const CLEAN = -1;

/** One of the pictures that lie one after the other, the clean one first. */
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
