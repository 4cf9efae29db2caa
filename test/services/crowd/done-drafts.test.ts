import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import {
  getBatch,
  reportItem,
  returnBatch,
  saveDraft,
  submitAnswer,
  submitBatch,
} from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { ask, itemOf, runOut, square, take, type Workshop, worker, workshop } from './workshop';

const db = useDatabase();
let shop: Workshop;
let wanda: UserActor;

beforeAll(async () => {
  shop = await workshop(db(), { batchSize: { attributes: 4, masks: 3 } });
});

async function freshBatch() {
  wanda = await worker(db(), shop);
  await ask(db(), shop, 'object-mask', 3);
  return take(db(), wanda, shop.stages['object-mask']);
}

type Draft = Partial<Parameters<typeof saveDraft>[2]>;

const save = (leaseId: string, revision: number, more: Draft = {}) =>
  saveDraft(db(), wanda, { leaseId, revision, document: { revision }, ...more });

const done: Draft = { answer: { value: square }, activeMs: 4200 };

const answerOf = async (leaseId: string) =>
  (await db().select().from(tables.answers).where(eq(tables.answers.leaseId, leaseId)))[0];

const leasesOf = ({ items }: Awaited<ReturnType<typeof freshBatch>>) =>
  items.map(({ leaseId }) => leaseId) as [string, string, string];

describe('a draft that is done', () => {
  it('becomes the answer when the batch is submitted, as often as that is asked for', async () => {
    const batch = await freshBatch();
    const [first, second, third] = leasesOf(batch);
    await save(first, 0, done);
    await save(second, 0);
    expect(await answerOf(first)).toBeUndefined();
    const submit = () => submitBatch(db(), wanda, { batchId: batch.id });
    const [once, again] = await Promise.all([submit(), submit()]);
    expect(await submit()).toEqual(once);
    expect(again).toEqual(once);
    expect(once.pay?.amountMicro).toBeGreaterThan(0n);
    expect(await answerOf(first)).toMatchObject({ value: square, activeMs: 4200, area: 400, isLate: false });
    expect(await answerOf(second)).toBeUndefined();
    expect(await answerOf(third)).toBeUndefined();
    expect((await itemOf(db(), first))?.state).toBe('settled');
    expect((await itemOf(db(), second))?.leased).toBe(0);
    const lines = await db().select().from(tables.ledger).where(eq(tables.ledger.sourceId, batch.id));
    expect(lines).toHaveLength(1);
  });

  it('stays editable, and the newest version counts', async () => {
    const batch = await freshBatch();
    const [first, second] = leasesOf(batch);
    await save(first, 0, done);
    await save(first, 1, { ...done, answer: { value: { kind: 'nothing' } } });
    await save(second, 0, done);
    await save(second, 1);
    const { items } = await getBatch(db(), wanda, { batchId: batch.id });
    expect(items.map(({ draft }) => draft?.done)).toEqual([true, false, undefined]);
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect((await answerOf(first))?.value).toEqual({ kind: 'nothing' });
    expect(await answerOf(second)).toBeUndefined();
  });

  it('was checked by the schema of today although the item was answered, which told gold from ordinary items', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0, done);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const unfit: Draft = { answer: { value: { kind: 'attributes', choices: {} } } };
    await expect(save(first, 1, unfit)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('keeps the time spent when a later version comes without it', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0, done);
    await save(first, 1, { answer: { value: square } });
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect((await answerOf(first))?.activeMs).toBe(4200);
  });

  it('is not lost when the time of the batch runs out, or when the batch is given back', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0, done);
    await runOut(db(), batch.id);
    // Whoever takes work next reclaims what ran out.
    await take(db(), await worker(db(), shop), shop.stages['object-mask']);
    expect(await answerOf(first)).toMatchObject({ value: square, isLate: false });

    const returned = await freshBatch();
    const [kept, dropped] = leasesOf(returned);
    await save(kept, 0, done);
    await save(dropped, 0);
    const closed = await returnBatch(db(), wanda, { batchId: returned.id });
    expect(closed).toMatchObject({ state: 'returned', pay: { currency: expect.any(String) } });
    expect(await answerOf(kept)).toBeDefined();
    const [draft] = await db().select().from(tables.drafts).where(eq(tables.drafts.leaseId, dropped));
    expect(draft).toBeUndefined();
  });

  it('is as old as its last change, so that the time per batch stays honest', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0, done);
    await db()
      .update(tables.drafts)
      .set({ doneAt: sql`now() - interval '10 minutes'` })
      .where(eq(tables.drafts.leaseId, first));
    await submitBatch(db(), wanda, { batchId: batch.id });
    const age = Date.now() - Number((await answerOf(first))?.createdAt);
    expect(age).toBeGreaterThan(9 * 60_000);
  });

  it('is refused with the reason while its answer does not fit, and the draft stays as it was', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0);
    const outside = {
      ...square,
      shapes: [{ kind: 'polygon', op: 'add', outer: [-9, -9, -5, -9, -5, -5], holes: [] }],
    };
    await expect(save(first, 1, { answer: { value: outside as typeof square } })).rejects.toThrow(
      'covers no pixel',
    );
    await expect(save(first, 1, { answer: { value: { kind: 'class', className: 'dog' } } })).rejects.toThrow(
      'asks for',
    );
    expect(await save(first, 1)).toEqual({ revision: 2 });
  });

  it('of an item that is reported as broken does not count', async () => {
    const batch = await freshBatch();
    const [first] = leasesOf(batch);
    await save(first, 0, done);
    await reportItem(db(), wanda, { leaseId: first, messageId: newId(), kind: 'broken-image', text: '' });
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect(await answerOf(first)).toBeUndefined();
    const [draft] = await db().select().from(tables.drafts).where(eq(tables.drafts.leaseId, first));
    expect(draft).toMatchObject({ answer: null, doneAt: null });
  });

  it('that arrives while the batch is submitted is either in it or refused', async () => {
    for (let race = 0; race < 10; race++) {
      const batch = await freshBatch();
      const [first] = leasesOf(batch);
      const [saved] = await Promise.allSettled([
        save(first, 0, done),
        submitBatch(db(), wanda, { batchId: batch.id }),
      ]);
      const answer = await answerOf(first);
      expect(answer !== undefined).toBe(saved?.status === 'fulfilled');
    }
  });

  it('leaves the endpoint for single answers as it was', async () => {
    const batch = await freshBatch();
    const [first, second] = leasesOf(batch);
    await save(first, 0, done);
    const answerId = newId();
    const sent = { leaseId: first, answerId, value: square, activeMs: 10 };
    await submitAnswer(db(), wanda, sent);
    await save(second, 0, done);
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect((await answerOf(first))?.id).toBe(answerId);
    expect(await answerOf(second)).toBeDefined();
    expect((await submitAnswer(db(), wanda, sent)).answerId).toBe(answerId);
  });
});
