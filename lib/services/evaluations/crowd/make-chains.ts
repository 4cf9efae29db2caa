import { eq } from 'drizzle-orm';
import { tables } from '@/db';
import { wholeChain } from '@/lib/core/robustness/fmr/chain';
import { scoreOf } from '@/lib/core/robustness/fmr/fmr-variant';
import type { Generator } from '@/lib/core/robustness/fmr/generators';
import { stream, streamKey } from '@/lib/core/robustness/random/stream';
import type { Planned } from '@/lib/core/robustness/suites';
import type { Surroundings } from '@/lib/core/robustness/types';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { type SamplePool, stratified } from '../sample-pool';
import { bytesOf } from './chain-bytes';

const { images, oracleChains, versionImages } = tables;

export interface Chaining {
  evaluationId: string;
  versionId: string;
  pool: SamplePool;
  variant: Planned;
  chain: { generator: Generator; budget: number };
  seed: number;
  around(): Surroundings;
}

/**
 * Drives every image as far as the budget goes, whatever anybody sees in it, and keeps all of the pictures: people will
 * be asked about few of them. What was made before a stop is not made again.
 */
export async function makeChains(
  { db, storage, signal, progress }: JobContext,
  { evaluationId, versionId, pool, variant, chain, seed, around }: Chaining,
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
  const entries = stratified(pool.entries, variant.most, seed);
  let done = 0;
  for (const entry of entries) {
    signal.throwIfAborted();
    await progress(done++, entries.length, 'Driving pictures away from the model');
    const imageId = idOf.get(entry.image.source);
    if (!imageId || there.has(imageId)) continue;
    const sample = await pool.sample(entry);
    const own = around();
    const [cell] = variant.cells;
    const chance = stream(
      streamKey({
        seed,
        sample: sample.id,
        variant: variant.id,
        level: cell?.level ?? 0,
        trial: cell?.trial ?? 0,
      }),
    );
    const settings = { ...chain, space: own.latents };
    const pictures = await wholeChain(sample.picture, settings, chance, scoreOf(sample, own));
    const bytes = Buffer.concat([sample.picture, ...pictures].map(bytesOf));
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
