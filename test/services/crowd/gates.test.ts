import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { publishText, withdraw } from '@/lib/services/crowd/consent';
import { draftText } from '@/lib/services/crowd/consent/texts';
import { decideByHand } from '@/lib/services/crowd/trust';
import { listWork, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { join, person, tests } from '../access/people';
import {
  addImage,
  agree,
  answer,
  ask,
  doBatch,
  itemsOf,
  paidTo,
  square,
  take,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();

const gateOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error.detail?.gate,
  );

describe('consent', () => {
  it('comes before all work, and is asked for again when the text changes', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 5);
    const wanda = await person(db(), 'Wanda');
    await join(db(), wanda, shop.projectId, 'worker');
    expect(await gateOf(takeBatch(db(), wanda, { stageId }))).toBe('consent');
    const [offer] = await listWork(db(), wanda);
    expect(offer?.gate?.gate).toBe('consent');

    await agree(db(), wanda, shop.projectId);
    await doBatch(db(), wanda, stageId, () => square);
    const document = { ...(await draftText(db(), shop.projectId)), purpose: 'Another purpose.' };
    await publishText(db(), tests, { projectId: shop.projectId, document });
    expect(await gateOf(takeBatch(db(), wanda, { stageId }))).toBe('consent');
    await agree(db(), wanda, shop.projectId);
    expect(await takeBatch(db(), wanda, { stageId })).not.toBeNull();
  });

  it('is withdrawn in the middle of a batch: what is finished stays and is paid, the rest goes to others', async () => {
    const shop = await workshop(db());
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 4);
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    const batch = await take(db(), wanda, stageId);
    await answer(db(), wanda, batch.items[0]?.leaseId as string);
    await withdraw(db(), wanda, { projectId: shop.projectId });
    expect(await paidTo(db(), wanda)).toMatchObject([{ kind: 'batch', amountMicro: 100_000n }]);
    expect((await itemsOf(db(), stageId)).filter((item) => item.state === 'settled')).toHaveLength(1);
    expect(await gateOf(takeBatch(db(), wanda, { stageId }))).toBe('consent');
    await expect(answer(db(), wanda, batch.items[1]?.leaseId as string)).rejects.toThrow(
      'gave this batch back',
    );
    expect((await take(db(), will, stageId)).items).toHaveLength(3);
  });
});

describe('limits', () => {
  it('of a day and in all make the last batch smaller and then close the stage to the worker', async () => {
    const limits = { itemsPerDay: 6, itemsInAll: 8 };
    const shop = await workshop(db(), { limits });
    const stageId = shop.stages['object-mask'];
    await ask(db(), shop, 'object-mask', 20);
    const wanda = await worker(db(), shop);
    const sizes = [];
    for (let n = 0; n < 2; n++) sizes.push((await doBatch(db(), wanda, stageId, () => square)).items.length);
    expect(sizes).toEqual([4, 2]);
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow(
      '6 items that one person may do in a day',
    );
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    await db()
      .update(tables.batches)
      .set({ createdAt: yesterday })
      .where(eq(tables.batches.workerId, wanda.userId));
    expect((await doBatch(db(), wanda, stageId, () => square)).items).toHaveLength(2);
    expect(await gateOf(takeBatch(db(), wanda, { stageId }))).toBe('limit');
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toThrow('8 items');
  });
});

describe('a policy that is not valid', () => {
  it('is told to the worker in words, and hides no other project', async () => {
    const broken = await workshop(db(), { leaseMinutes: 'soon' });
    const fine = await workshop(db());
    const wanda = await worker(db(), fine);
    await join(db(), wanda, broken.projectId, 'worker');
    const stageId = broken.stages['object-mask'];
    await expect(takeBatch(db(), wanda, { stageId })).rejects.toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining('leaseMinutes'),
    });
    const offers = await listWork(db(), wanda);
    expect(offers.filter((offer) => offer.project.id === fine.projectId).map((offer) => offer.gate)).toEqual([
      null,
      null,
      null,
    ]);
    expect(offers.filter((offer) => offer.project.id === broken.projectId)).toHaveLength(3);
  });
});

describe('what a worker can do now', () => {
  it('names every open stage with what waits, the open batch and what stands in the way', async () => {
    const shop = await workshop(db(), { attributeExam: { isRequired: true, attempts: 2 } });
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 3);
    await ask(db(), shop, 'object-mask', 6);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    await decideByHand(db(), tests, {
      workerId: wanda.userId,
      stageId: shop.stages['part-mask'],
      verdict: 'pause',
      reason: 'A look is needed.',
      askAgain: false,
    });
    const offers = new Map((await listWork(db(), wanda)).map((offer) => [offer.stage.id, offer]));
    expect(offers.get(shop.stages.attributes)).toMatchObject({
      project: { slug: shop.slug },
      gate: { gate: 'exam', decisionId: null },
      openBatch: null,
      supply: 'few',
      exam: { passed: false, attemptsLeft: 2, waitUntil: null },
    });
    expect(offers.get(shop.stages['object-mask'])).toMatchObject({
      gate: null,
      openBatch: { id: batch.id, kind: 'work' },
      supply: 'few',
      exam: null,
    });
    expect(offers.get(shop.stages['part-mask'])).toMatchObject({
      gate: {
        gate: 'paused',
        says: expect.stringContaining('A look is needed.'),
        decisionId: expect.any(String),
      },
      supply: 'none',
    });
    await submitBatch(db(), wanda, { batchId: batch.id });
  });

  it('tells roughly how much work is left, and nothing of what others hold', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 1 } });
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    const stageId = shop.stages['part-mask'];
    const supply = async () =>
      (await listWork(db(), wanda)).find((offer) => offer.stage.id === stageId)?.supply;
    let asked = 0;
    const askUpTo = async (count: number) => {
      const imageId = await addImage(db(), shop.projectId);
      await db()
        .insert(tables.items)
        .values(
          Array.from({ length: count - asked }, (_, n) => ({
            projectId: shop.projectId,
            stageId,
            imageId,
            schemaVersionId: shop.schemaVersionId,
            target: `part-${n}`,
          })),
        );
      asked = count;
    };
    expect(await supply()).toBe('none');
    await askUpTo(99);
    expect(await supply()).toBe('few');
    await askUpTo(100);
    expect(await supply()).toBe('some');
    await askUpTo(1000);
    expect(await supply()).toBe('many');
    await takeBatch(db(), will, { stageId });
    expect(await supply()).toBe('some');
  });
});
