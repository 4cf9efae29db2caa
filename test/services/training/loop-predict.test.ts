import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { decodeCounts, iou, rasterizeShapes } from '@/lib/core/mask';
import { putBlob, storage } from '@/lib/services/storage';
import { changeModel } from '@/lib/services/training/models';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { addImage, ask, itemsOf, square } from '../crowd/workshop';
import { audited } from '../curation/audit/rated';
import { addModel, brightContract, brightParts, givePixels, PART, picture, predictNow } from './loop-model';

useHome();
const db = useDatabase();
const { jobs, models, predictions } = tables;

/** Of a picture whose file is gone. */
async function lostBlob(): Promise<string> {
  const sha256 = '0'.repeat(64);
  await db().insert(tables.blobs).values({ sha256, bytes: 1, mediaType: 'image/png' });
  return sha256;
}

describe('a promoted model', () => {
  it('looks at every image once, is taken up where it was stopped, and steps back without a trace in the work', async () => {
    const { shop, curator } = await audited(db());
    await ask(db(), shop, 'part-mask', 20);
    await givePixels(db(), shop, await picture());
    const modelId = await addModel(db(), shop);
    const { projectId } = shop;
    await changeModel(db(), curator, { projectId, modelId, state: 'promoted' });
    const waiting = await db()
      .select()
      .from(jobs)
      .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, 'predict-images')));
    expect(waiting).toHaveLength(1);
    expect(waiting[0]).toMatchObject({ state: 'queued', startedBy: curator.userId });

    const stopped = AbortSignal.abort();
    await expect(predictNow(db(), shop, stopped)).rejects.toThrow();
    expect(await predictNow(db(), shop)).toMatchObject({ model: 'Bright', images: 20, unreadable: 0 });
    expect(await predictNow(db(), shop)).toMatchObject({ images: 0 });
    const [said] = await db().select().from(predictions).where(eq(predictions.modelId, modelId));
    expect(said).toMatchObject({ className: 'bird', scores: [expect.any(Number), expect.any(Number)] });
    expect(said?.feature).toHaveLength(3);
    const found = decodeCounts(said?.masks[PART] ?? '', 48, 64);
    const truth = rasterizeShapes(square.kind === 'mask' ? square.shapes : [], 48, 64);
    expect(iou(found, truth)).toBeGreaterThan(0.8);

    await addImage(db(), projectId);
    await givePixels(db(), shop, await picture());
    expect(await predictNow(db(), shop)).toMatchObject({ images: 1 });
    await changeModel(db(), curator, { projectId, modelId, state: 'archived' });
    expect(await predictNow(db(), shop)).toMatchObject({ model: null, images: 0 });
  });

  it('that is no model, or keeps not to its contract, fails its job with words that say so', async () => {
    const { shop, curator } = await audited(db());
    await ask(db(), shop, 'part-mask', 1);
    await givePixels(db(), shop, await picture());
    const broken = [
      { name: 'No ONNX', onnx: Buffer.from('not a network'), says: /does not run/ },
      { name: 'Three classes', contract: { classes: ['a', 'b', 'c'] }, says: /"logits" is float32 1 × 2/ },
      { name: 'No such output', contract: { outputs: { logits: 'nothing' } }, says: /no output "nothing"/ },
      { name: 'No contract', contract: { input: null }, says: /contract is not complete/ },
    ];
    for (const { name, onnx, contract, says } of broken) {
      const modelId = await addModel(db(), shop, {
        name,
        onnx,
        contract: { ...brightContract, ...contract },
      });
      await changeModel(db(), curator, { projectId: shop.projectId, modelId, state: 'promoted' });
      await expect(predictNow(db(), shop)).rejects.toThrow(says);
    }
    expect(
      await db()
        .select()
        .from(predictions)
        .innerJoin(models, eq(models.id, predictions.modelId))
        .where(eq(models.projectId, shop.projectId)),
    ).toEqual([]);
  });

  it('skips a file that is no picture any more and looks at the others', async () => {
    const { shop, curator } = await audited(db());
    await ask(db(), shop, 'part-mask', 3);
    await givePixels(db(), shop, await picture());
    const [first, second] = await itemsOf(db(), shop.stages['part-mask']);
    const text = await putBlob(db(), storage(), Buffer.from('no picture'), { mediaType: 'text/plain' });
    const point = (imageId: string | undefined, blob: string) =>
      db()
        .update(tables.images)
        .set({ blob })
        .where(eq(tables.images.id, imageId ?? ''));
    await point(first?.imageId, text.sha256);
    await point(second?.imageId, await lostBlob());
    const modelId = await addModel(db(), shop, { onnx: brightParts(1) });
    await changeModel(db(), curator, { projectId: shop.projectId, modelId, state: 'promoted' });
    expect(await predictNow(db(), shop)).toMatchObject({ images: 1, unreadable: 2 });
  });
});
