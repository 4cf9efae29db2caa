import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { heartbeat, saveDraft, submitBatch, takeBatch } from '@/lib/services/crowd/work';
import { useDatabase } from '../../support/database';
import { answer, ask, itemOf, paidTo, runOut, settleLate, take, worker, workshop } from './workshop';

const db = useDatabase();

/** Wanda has a batch of masks whose time is over; Will is there to take over. */
async function lateWanda(count = 4) {
  const shop = await workshop(db());
  const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
  await ask(db(), shop, 'object-mask', count);
  const stageId = shop.stages['object-mask'];
  const batch = await take(db(), wanda, stageId);
  const leases = batch.items.map((item) => item.leaseId);
  return { shop, wanda, will, stageId, batch, leases, first: leases[0] as string };
}

const decisionsAbout = (answerId: string) =>
  db().select().from(tables.decisions).where(eq(tables.decisions.subjectId, answerId));

describe('a lease that ran out', () => {
  it('lives again with a heartbeat or by asking for work, as long as nobody took the items', async () => {
    const { wanda, batch, stageId } = await lateWanda();
    await runOut(db(), batch.id);
    const { leasedUntil } = await heartbeat(db(), wanda, { batchId: batch.id });
    expect(leasedUntil.getTime()).toBeGreaterThan(Date.now());
    await runOut(db(), batch.id);
    const again = await takeBatch(db(), wanda, { stageId });
    expect(again?.id).toBe(batch.id);
    expect(again?.leasedUntil.getTime()).toBeGreaterThan(Date.now());
  });

  it('still takes drafts and answers before anybody reclaims it', async () => {
    const { wanda, batch, first } = await lateWanda();
    await runOut(db(), batch.id);
    await saveDraft(db(), wanda, { leaseId: first, revision: 0, document: { a: 1 } });
    await answer(db(), wanda, first);
    expect((await submitBatch(db(), wanda, { batchId: batch.id })).state).toBe('submitted');
    expect(await itemOf(db(), first)).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
  });

  it('is reclaimed by the next who asks: open items move on, finished ones are paid', async () => {
    const { wanda, will, batch, leases, first, stageId } = await lateWanda();
    await answer(db(), wanda, first);
    await runOut(db(), batch.id);
    expect((await take(db(), will, stageId)).items).toHaveLength(3);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'batch', sourceId: batch.id, amountMicro: 100_000n }]);
    await expect(heartbeat(db(), wanda, { batchId: batch.id })).rejects.toThrow('went to others');
    const change = { leaseId: leases[1] as string, revision: 0, document: {} };
    await expect(saveDraft(db(), wanda, change)).rejects.toThrow('went to others');
    expect(await submitBatch(db(), wanda, { batchId: batch.id })).toMatchObject({
      state: 'expired',
      pay: { amountMicro: 100_000n },
    });
  });

  it('leaves no item held by nobody when one worker answered it, another did not, and both are reclaimed together', async () => {
    const shop = await workshop(db(), { overlap: 2 });
    const [wanda, will, wen] = [
      await worker(db(), shop),
      await worker(db(), shop, 'Will'),
      await worker(db(), shop, 'Wen'),
    ];
    await ask(db(), shop, 'object-mask', 1, { overlap: 2 });
    const stageId = shop.stages['object-mask'];
    const [done, left] = [await take(db(), wanda, stageId), await take(db(), will, stageId)];
    const leaseId = done.items[0]?.leaseId as string;
    await answer(db(), wanda, leaseId);
    for (const { id } of [done, left]) await runOut(db(), id);
    expect((await take(db(), wen, stageId)).items).toHaveLength(1);
    expect(await itemOf(db(), leaseId)).toMatchObject({ state: 'open', leased: 1, answered: 1 });
  });

  it('lets a late answer count when the item is free again, and pays it by itself', async () => {
    const { wanda, will, batch, first, stageId } = await lateWanda(1);
    await runOut(db(), batch.id);
    const other = await take(db(), will, stageId);
    await submitBatch(db(), will, { batchId: other.id });
    const answerId = newId();
    const stored = await answer(db(), wanda, first, undefined, answerId);
    expect(await answer(db(), wanda, first, undefined, answerId)).toEqual(stored);
    // Settled one by one, late answers would show which of them were checks.
    expect(await itemOf(db(), first)).toMatchObject({ state: 'open', leased: 0, answered: 0 });
    expect(await paidTo(db(), wanda)).toEqual([]);
    await settleLate(db());
    expect(await itemOf(db(), first)).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
    expect(await decisionsAbout(answerId)).toEqual([]);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'item', sourceId: answerId, amountMicro: 100_000n }]);
    await settleLate(db());
    expect(await paidTo(db(), wanda)).toHaveLength(1);
    expect(await takeBatch(db(), will, { stageId })).toBeNull();
  });

  it('settles late answers when the next batch of the worker ends, and not before', async () => {
    const { shop, wanda, will, batch, first, stageId } = await lateWanda(1);
    await runOut(db(), batch.id);
    const other = await take(db(), will, stageId);
    await submitBatch(db(), will, { batchId: other.id });
    const answerId = newId();
    await answer(db(), wanda, first, undefined, answerId);
    await ask(db(), shop, 'object-mask', 1);
    const next = await take(db(), wanda, stageId);
    expect(next.items.map((item) => item.leaseId)).not.toContain(first);
    await answer(db(), wanda, next.items[0]?.leaseId as string);
    expect(await itemOf(db(), first)).toMatchObject({ state: 'open', leased: 0, answered: 0 });
    await submitBatch(db(), wanda, { batchId: next.id });
    expect(await itemOf(db(), first)).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
    expect(await paidTo(db(), wanda)).toEqual([
      { kind: 'item', sourceId: answerId, amountMicro: 100_000n },
      { kind: 'batch', sourceId: next.id, amountMicro: 100_000n },
    ]);
  });

  it('sets a late answer aside when somebody else has the item, and still pays it', async () => {
    const { wanda, will, batch, first, stageId } = await lateWanda(1);
    await runOut(db(), batch.id);
    const other = await take(db(), will, stageId);
    const answerId = newId();
    await answer(db(), wanda, first, undefined, answerId);
    await settleLate(db());
    expect(await itemOf(db(), first)).toMatchObject({ state: 'open', leased: 1, answered: 0 });
    expect(await decisionsAbout(answerId)).toMatchObject([
      { subject: 'answer', verdict: 'set-aside', rule: 'late-answer', ruleVersion: 1 },
    ]);
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'item', sourceId: answerId, amountMicro: 100_000n }]);

    const [lease] = other.items;
    const used = newId();
    await answer(db(), will, lease?.leaseId as string, undefined, used);
    await submitBatch(db(), will, { batchId: other.id });
    const [label] = await db()
      .select()
      .from(tables.labels)
      .where(eq(tables.labels.itemId, (await itemOf(db(), first)).id));
    expect(label?.provenance).toMatchObject({ answers: [used] });
  });

  it('sets a late answer aside when the item was settled or withdrawn in between', async () => {
    const { wanda, will, batch, leases, stageId } = await lateWanda(2);
    await runOut(db(), batch.id);
    const other = await take(db(), will, stageId);
    for (const { leaseId } of other.items) await answer(db(), will, leaseId);
    const gone = await itemOf(db(), leases[1] as string);
    await db().update(tables.items).set({ state: 'withdrawn' }).where(eq(tables.items.id, gone.id));
    // In time, but withdrawn: kept, paid with the batch, and the count of the item is right.
    expect((await submitBatch(db(), will, { batchId: other.id })).pay?.amountMicro).toBe(200_000n);
    expect(await itemOf(db(), leases[1] as string)).toMatchObject({ leased: 0, answered: 0 });
    const late = [newId(), newId()];
    for (const [n, answerId] of late.entries())
      await answer(db(), wanda, leases[n] as string, undefined, answerId);
    await settleLate(db());
    for (const answerId of late) {
      expect(await decisionsAbout(answerId)).toMatchObject([{ verdict: 'set-aside' }]);
    }
    expect(await paidTo(db(), wanda)).toHaveLength(2);
  });

  it('comes back to the same worker as the same lease, and is then in time', async () => {
    const { wanda, will, batch, leases, first, stageId } = await lateWanda();
    await saveDraft(db(), wanda, { leaseId: first, revision: 0, document: { half: 'done' } });
    await runOut(db(), batch.id);
    const other = await take(db(), will, stageId);
    await submitBatch(db(), will, { batchId: other.id });
    const again = await take(db(), wanda, stageId);
    expect(again.id).not.toBe(batch.id);
    expect(again.items.map((item) => item.leaseId).sort()).toEqual([...leases].sort());
    const begun = again.items.filter((item) => item.draft);
    expect(begun.map(({ leaseId, draft }) => [leaseId, draft?.document])).toEqual([
      [first, { half: 'done' }],
    ]);
    const answerId = newId();
    await answer(db(), wanda, first, undefined, answerId);
    expect(await paidTo(db(), wanda)).toEqual([]);
    await submitBatch(db(), wanda, { batchId: again.id });
    expect(await paidTo(db(), wanda)).toEqual([{ kind: 'batch', sourceId: again.id, amountMicro: 100_000n }]);
  });

  it('runs out in the very moment of an answer, in every order, and nothing is lost', async () => {
    for (let round = 0; round < 40; round++) {
      const { wanda, will, batch, first, stageId } = await lateWanda(1);
      await runOut(db(), batch.id);
      const answerId = newId();
      const [, theirs] = await Promise.all([
        answer(db(), wanda, first, undefined, answerId),
        takeBatch(db(), will, { stageId }),
        submitBatch(db(), wanda, { batchId: batch.id }),
      ]);
      await settleLate(db());
      const item = await itemOf(db(), first);
      const aside = await decisionsAbout(answerId);
      if (theirs) {
        // Will was first: Wanda's answer came to an item that was his by then.
        expect(item).toMatchObject({ state: 'open', leased: 1, answered: 0 });
        expect(aside).toHaveLength(1);
      } else {
        expect(item).toMatchObject({ state: 'settled', leased: 0, answered: 1 });
        expect(aside).toHaveLength(0);
      }
      const paid = await paidTo(db(), wanda);
      expect(paid.map((row) => row.amountMicro)).toEqual([100_000n]);
    }
  });
});
