import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import {
  getBatch,
  heartbeat,
  reportItem,
  returnBatch,
  submitBatch,
  takeBatch,
} from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { countStatements } from '../access/statements';
import { answer, ask, itemOf, itemsOf, marked, paidTo, square, take, worker, workshop } from './workshop';

const db = useDatabase();

describe('a worker', () => {
  it('takes a batch, draws, submits, and is paid once by the mask', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'part-mask', 5);
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    expect(batch.items).toHaveLength(4);
    for (const { leaseId } of batch.items) await answer(db(), wanda, leaseId);

    const closed = await submitBatch(db(), wanda, { batchId: batch.id });
    expect(closed).toMatchObject({ state: 'submitted', pay: { amountMicro: 400_000n, currency: 'USD' } });
    expect(await submitBatch(db(), wanda, { batchId: batch.id })).toEqual(closed);
    expect(await returnBatch(db(), wanda, { batchId: batch.id })).toEqual(closed);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'batch', sourceId: batch.id, amountMicro: 400_000n }]);

    const [first] = await db().select().from(tables.answers).where(eq(tables.answers.workerId, wanda.userId));
    expect(first).toMatchObject({ value: square, area: 400 });
    const item = await itemOf(db(), batch.items[0]?.leaseId as string);
    expect(item).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
    const [label] = await db().select().from(tables.labels).where(eq(tables.labels.itemId, item.id));
    expect(label).toMatchObject({ source: 'answer', area: 400, isCurrent: true, mask: first?.mask });
    expect(label?.provenance).toMatchObject({ method: 'single-answer', answers: [expect.any(String)] });
  });

  it('stops in the middle, keeps the pay for what is finished, and finds the rest again with its draft', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'attributes', 4);
    const first = await take(db(), wanda, shop.stages.attributes);
    await answer(db(), wanda, first.items[0]?.leaseId as string, marked(shop, 'tail'));
    const half = first.items[1]?.leaseId as string;
    await db()
      .insert(tables.drafts)
      .values({ leaseId: half, workerId: wanda.userId, revision: 3, document: { a: 1 } });
    // A quarter of $1.50.
    const closed = await submitBatch(db(), wanda, { batchId: first.id });
    expect(closed.pay?.amountMicro).toBe(375_000n);

    const second = await take(db(), wanda, shop.stages.attributes);
    expect(second.id).not.toBe(first.id);
    // The same leases; the order of images is drawn anew for every batch.
    const left = first.items.slice(1).map((item) => item.leaseId);
    expect(second.items.map((item) => item.leaseId).sort()).toEqual(left.sort());
    const begun = second.items.filter((item) => item.draft);
    expect(begun.map(({ leaseId, draft }) => [leaseId, draft])).toEqual([
      [half, { revision: 3, document: { a: 1 }, done: false, activeMs: 0 }],
    ]);
    for (const { leaseId } of second.items) await answer(db(), wanda, leaseId, marked(shop));
    await submitBatch(db(), wanda, { batchId: second.id });
    expect((await paidTo(db(), wanda)).map((row) => row.amountMicro)).toEqual([375_000n, 1_125_000n]);
    expect(await takeBatch(db(), wanda, { stageId: shop.stages.attributes })).toBeNull();
  });

  it('gives a batch back: it goes to others, and never comes again', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    await ask(db(), shop, 'object-mask', 4);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    expect(await returnBatch(db(), wanda, { batchId: batch.id })).toMatchObject({
      state: 'returned',
      pay: null,
    });
    expect(await takeBatch(db(), wanda, { stageId: shop.stages['object-mask'] })).toBeNull();
    await expect(answer(db(), wanda, batch.items[0]?.leaseId as string)).rejects.toThrow(
      'gave this batch back',
    );
    expect((await take(db(), will, shop.stages['object-mask'])).items).toHaveLength(4);
    expect(await paidTo(db(), wanda)).toEqual([]);
  });

  it('reports a broken image, loses it without a penalty, and others are asked', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    await ask(db(), shop, 'object-mask', 2);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    const [good, bad] = batch.items.map((item) => item.leaseId) as [string, string];
    const report = { leaseId: bad, messageId: newId(), kind: 'broken-image' as const, text: '' };
    expect(await reportItem(db(), wanda, report)).toMatchObject({ leaseState: 'released' });
    expect(await reportItem(db(), wanda, report)).toMatchObject({ leaseState: 'released' });
    await answer(db(), wanda, good);
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect((await paidTo(db(), wanda)).map((row) => row.amountMicro)).toEqual([100_000n]);
    expect(await itemOf(db(), bad)).toMatchObject({ state: 'open', leased: 0 });
    expect(await takeBatch(db(), wanda, { stageId: shop.stages['object-mask'] })).toBeNull();
    expect((await take(db(), will, shop.stages['object-mask'])).items).toHaveLength(1);
    const told = await db()
      .select()
      .from(tables.messages)
      .where(eq(tables.messages.projectId, shop.projectId));
    expect(told).toHaveLength(1);
  });

  it('comments on an item and goes on with it', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'object-mask', 1);
    const leaseId = (await take(db(), wanda, shop.stages['object-mask'])).items[0]?.leaseId as string;
    const report = { leaseId, messageId: newId(), kind: 'comment' as const, text: 'Two dogs here.' };
    expect(await reportItem(db(), wanda, report)).toMatchObject({ leaseState: 'open' });
    await answer(db(), wanda, leaseId);
  });

  it('sees the important items first, and none of a broken image', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    const [, , last] = await ask(db(), shop, 'object-mask', 9);
    const urgent = await ask(db(), shop, 'object-mask', 3, { priority: 5 });
    await db()
      .update(tables.images)
      .set({ state: 'broken' })
      .where(sql`id = (select image_id from items where id = ${last as string})`);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    const got = await Promise.all(batch.items.map(async ({ leaseId }) => (await itemOf(db(), leaseId)).id));
    expect(got).toHaveLength(4);
    expect(got).toEqual(expect.arrayContaining(urgent));
    await submitBatch(db(), wanda, { batchId: batch.id });
    await db()
      .update(tables.projects)
      .set({ policy: sql`policy || '{"batchSize":{"attributes":4,"masks":20}}'` });
    const all = await take(db(), wanda, shop.stages['object-mask']);
    expect(all.items).toHaveLength(11);
    const ids = await Promise.all(all.items.map(async ({ leaseId }) => (await itemOf(db(), leaseId)).id));
    expect(ids).not.toContain(last);
  });

  it('gets nothing from a paused project or a closed stage, but may finish what is open', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'object-mask', 5);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    const ofShop = eq(tables.projects.id, shop.projectId);
    await db().update(tables.projects).set({ state: 'paused' }).where(ofShop);
    const ask2 = () => takeBatch(db(), wanda, { stageId: shop.stages['object-mask'] });
    await expect(ask2()).rejects.toThrow('The project is paused');
    await heartbeat(db(), wanda, { batchId: batch.id });
    await answer(db(), wanda, batch.items[0]?.leaseId as string);
    await submitBatch(db(), wanda, { batchId: batch.id });
    await db().update(tables.projects).set({ state: 'collecting' }).where(ofShop);
    await db()
      .update(tables.stages)
      .set({ state: 'closed' })
      .where(eq(tables.stages.id, shop.stages['object-mask']));
    await expect(ask2()).rejects.toThrow('"Object masks" is closed');
  });

  it('cannot reach the work of another, nor any work after being removed', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    await ask(db(), shop, 'object-mask', 4);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    const leaseId = batch.items[0]?.leaseId as string;
    const tries = async (who: typeof will) => {
      const all = await Promise.allSettled([
        getBatch(db(), who, { batchId: batch.id }),
        heartbeat(db(), who, { batchId: batch.id }),
        submitBatch(db(), who, { batchId: batch.id }),
        returnBatch(db(), who, { batchId: batch.id }),
        answer(db(), who, leaseId),
        reportItem(db(), who, { leaseId, messageId: newId(), kind: 'comment', text: 'x' }),
      ]);
      return all.map((one) => (one.status === 'rejected' ? one.reason.kind : one.value));
    };
    const refused = Array.from({ length: 6 }, () => 'not-found');
    expect(await tries(will)).toEqual(refused);
    await db().delete(tables.memberships).where(eq(tables.memberships.userId, wanda.userId));
    expect(await tries(wanda)).toEqual(refused);
    await expect(takeBatch(db(), wanda, { stageId: shop.stages['object-mask'] })).rejects.toThrow(
      'no such stage',
    );
    expect((await itemsOf(db(), shop.stages['object-mask'])).every((item) => item.leased === 1)).toBe(true);
  });
});

describe('what the page gets of a batch', () => {
  it('is read in five statements, of parts in six, in another language in one more, however long the batch is', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 4, masks: 12 } });
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'object-mask', 1);
    const short = await take(db(), wanda, shop.stages['object-mask']);
    await ask(db(), shop, 'part-mask', 12);
    const long = await take(db(), wanda, shop.stages['part-mask']);
    const cost = (batchId: string, language?: 'es') =>
      countStatements(db(), () => getBatch(db(), wanda, { batchId, language }));
    const costs = [
      { id: short.id, statements: 5 },
      { id: long.id, statements: 6 },
    ];
    for (const { id, statements } of costs) {
      expect(await cost(id)).toBe(statements);
      expect(await cost(id, 'es')).toBe(statements + 1);
    }
  });

  it('names what to draw, with the pinned schema and the parts drawn before', async () => {
    const shop = await workshop(db());
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    const [asked] = await ask(db(), shop, 'part-mask', 1);
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    await answer(db(), wanda, batch.items[0]?.leaseId as string);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const [item] = await db()
      .select()
      .from(tables.items)
      .where(eq(tables.items.id, asked as string));
    await ask(db(), shop, 'part-mask', 1, { target: 'tail', imageId: item?.imageId });
    const next = await take(db(), will, shop.stages['part-mask']);
    const url = `/api/v1/work/leases/${next.items[0]?.leaseId}/image`;
    expect(next).toMatchObject({
      project: { slug: shop.slug },
      stage: { kind: 'part-mask' },
      schemas: [{ id: shop.schemaVersionId, document: { id: 'rival10' } }],
    });
    expect(next.items[0]).toMatchObject({
      position: 0,
      state: 'open',
      className: 'dog',
      image: { width: 64, height: 48, working: { url, width: 64 } },
      target: { id: 'tail', name: 'Tail', colour: expect.stringMatching(/^#[0-9a-f]{6}$/) },
      neighbours: [{ target: 'long-snout', counts: expect.any(String) }],
      draft: null,
      answer: null,
    });
    const done = await getBatch(db(), wanda, { batchId: batch.id });
    expect(done.items[0]).toMatchObject({ state: 'answered', answer: square });
  });

  it('shows a hidden check with the same fields as any other item, and takes its answer in the same way', async () => {
    const shop = await workshop(db());
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'object-mask', 1);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    const checkLease = await hideCheck(shop, wanda.userId, batch.id);
    const shown = await getBatch(db(), wanda, { batchId: batch.id });
    const shapes = shown.items.map((item) => typesOf(item));
    expect(shown.items).toHaveLength(2);
    expect(shapes[1]).toEqual(shapes[0]);
    const replies = [];
    for (const { leaseId } of shown.items) replies.push(typesOf(await answer(db(), wanda, leaseId)));
    expect(replies[1]).toEqual(replies[0]);
    const gold = await itemOf(db(), checkLease);
    expect(gold).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
    expect(await db().select().from(tables.labels).where(eq(tables.labels.itemId, gold.id))).toEqual([]);
    expect((await submitBatch(db(), wanda, { batchId: batch.id })).pay?.amountMicro).toBe(200_000n);
  });

  async function hideCheck(shop: Awaited<ReturnType<typeof workshop>>, workerId: string, batchId: string) {
    const [itemId] = await ask(db(), shop, 'object-mask', 1, { state: 'settled', answered: 1 });
    const known = {
      projectId: shop.projectId,
      itemId: itemId as string,
      value: square,
      state: 'active' as const,
    };
    const [gold] = await db().insert(tables.gold).values(known).returning();
    const [lease] = await db()
      .insert(tables.leases)
      .values({ batchId, itemId: itemId as string, workerId, position: 1, isExtra: true })
      .returning();
    await db()
      .insert(tables.checks)
      .values({ leaseId: lease?.id as string, goldId: gold?.id as string, workerId });
    return lease?.id as string;
  }
});

/** The names and kinds of everything in a value, in order. */
function typesOf(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Date) return typeof value;
  return Object.entries(value).map(([name, inner]) => [name, typesOf(inner)]);
}
