import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { askAssist } from '@/app/api/v1/assists';
import { newId, tables } from '@/db';
import { getBatch, submitAnswer } from '@/lib/services/crowd/work';
import { suggestionEffect } from '@/lib/services/training/loop/suggestion-effect';
import { changeModel } from '@/lib/services/training/models';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { keyOf } from '../access/people';
import { statementsOf } from '../crowd/statements-of';
import { addGold, ask, checkLeases, square, take, worker } from '../crowd/workshop';
import { audited } from '../curation/audit/rated';
import { promoted } from './loop-model';

useHome();
const db = useDatabase();
const { models, suggestions } = tables;

const on = { suggestions: { isOn: true, withheld: 0 } };

describe('a worker with a model at their side', () => {
  it('asks for its outline, accepts it, and the answer tells', async () => {
    const { shop, curator } = await audited(db(), on);
    const wanda = await worker(db(), shop);
    await ask(db(), shop, 'part-mask', 4);
    await promoted(db(), shop, curator);
    const headers = withKey(await keyOf(db(), wanda, 'read', 'labels:write'));
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    expect(batch.items.map(({ hasOutline }) => hasOutline)).toEqual([true, true, true, true]);
    const [item] = batch.items;
    const leaseId = item?.leaseId as string;
    const body = { kind: 'model-outline' };
    const reply = await call(askAssist, { params: { lease: leaseId }, headers, body });
    expect(reply.json).toMatchObject({ model: 'Bright', size: [48, 64] });
    const shape = { kind: 'bitmap', op: 'add', size: [48, 64], counts: reply.json.counts } as const;
    const use = {
      kind: 'model-outline',
      model: 'Bright',
      clicks: 1,
      shownMs: 20,
      latencyMs: 900,
      edited: false,
    } as const;
    await submitAnswer(db(), wanda, {
      leaseId,
      answerId: newId(),
      activeMs: 2000,
      value: { kind: 'mask', shapes: [shape], assists: [use] },
    });
    const [stored] = await db().select().from(tables.answers).where(eq(tables.answers.leaseId, leaseId));
    expect(stored?.value).toMatchObject({ assists: [use] });
    const [model] = await db().select().from(models).where(eq(models.projectId, shop.projectId));
    const effect = await suggestionEffect(db(), model?.id ?? '');
    expect(effect).toMatchObject({ shown: 1, withheld: 0, used: 1, unedited: 1 });
    expect(effect.time).toMatchObject({ shown: { value: 2, n: 1 }, withheld: null, difference: null });

    await changeModel(db(), curator, {
      projectId: shop.projectId,
      modelId: model?.id ?? '',
      state: 'registered',
    });
    const later = await getBatch(db(), wanda, { batchId: batch.id });
    expect(later.items.some(({ hasOutline }) => hasOutline)).toBe(false);
    const next = batch.items[1]?.leaseId as string;
    expect((await call(askAssist, { params: { lease: next }, headers, body })).status).toBe(503);
  });

  it('cannot tell an outline that is withheld from one that is not there', async () => {
    const { shop, curator } = await audited(db(), { suggestions: { isOn: true, withheld: 1 } });
    const wanda = await worker(db(), shop);
    const headers = withKey(await keyOf(db(), wanda, 'read', 'labels:write'));
    const body = { kind: 'model-outline' };
    await ask(db(), shop, 'part-mask', 2);
    await ask(db(), shop, 'part-mask', 2, { target: 'tail' });
    await promoted(db(), shop, curator);
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    const replies = [];
    for (const { leaseId } of batch.items) {
      const { status, json } = await call(askAssist, { params: { lease: leaseId }, headers, body });
      replies.push({ status, ...json, requestId: '' });
    }
    const drawn = await db().select().from(suggestions);
    const withheld = drawn.filter(({ leaseId }) => batch.items.some((item) => item.leaseId === leaseId));
    expect(withheld.map(({ state }) => state)).toEqual(['withheld', 'withheld']);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    expect(batch.items.map(({ hasOutline }) => hasOutline)).toEqual([false, false, false, false]);
  });

  it('gets no outlines where the stage has them off, and none for pictures the model has not seen', async () => {
    const { shop, curator } = await audited(db(), on);
    const wanda = await worker(db(), shop);
    await db()
      .update(tables.stages)
      .set({ policy: { suggestions: { isOn: false } } })
      .where(eq(tables.stages.id, shop.stages['object-mask']));
    await ask(db(), shop, 'object-mask', 2);
    await ask(db(), shop, 'part-mask', 3);
    await promoted(db(), shop, curator);
    await ask(db(), shop, 'part-mask', 1);
    for (const stage of ['object-mask', 'part-mask'] as const) {
      const { items } = await take(db(), wanda, shop.stages[stage]);
      expect(items.some(({ hasOutline }) => hasOutline)).toBe(false);
    }
  });
});

describe('the draw', () => {
  it('withholds the share that was asked for, of checks as of ordinary items, and stays as it was drawn', async () => {
    const share = 0.3;
    const { shop, curator } = await audited(db(), {
      suggestions: { isOn: true, withheld: share },
      batchSize: { attributes: 4, masks: 100 },
      checkRate: 0.5,
      checkSchedule: 'flat',
      overlap: 5,
    });
    const stageId = shop.stages['part-mask'];
    await ask(db(), shop, 'part-mask', 50, { overlap: 5 });
    await addGold(db(), shop, 'part-mask', 50, square);
    await promoted(db(), shop, curator);
    const counts = { check: { shown: 0, withheld: 0 }, work: { shown: 0, withheld: 0 } };
    for (const name of ['Ann', 'Bea', 'Cem', 'Dot', 'Eve']) {
      const person = await worker(db(), shop, name);
      const batch = await take(db(), person, stageId);
      const hidden = await checkLeases(db(), batch.id);
      const rows = await db()
        .select({ leaseId: suggestions.leaseId, state: suggestions.state })
        .from(suggestions)
        .innerJoin(tables.leases, eq(tables.leases.id, suggestions.leaseId))
        .where(eq(tables.leases.batchId, batch.id));
      expect(rows).toHaveLength(batch.items.length);
      for (const { leaseId, state } of rows) counts[hidden.has(leaseId) ? 'check' : 'work'][state]++;
      // Every item has every field, and what is told follows from the draw alone.
      expect(new Set(batch.items.map((item) => Object.keys(item).sort().join())).size).toBe(1);
      const shown = new Set(rows.filter(({ state }) => state === 'shown').map(({ leaseId }) => leaseId));
      expect(batch.items.every(({ leaseId, hasOutline }) => hasOutline === shown.has(leaseId))).toBe(true);
      const again = await take(db(), person, stageId);
      expect(again.items.map(({ hasOutline }) => hasOutline)).toEqual(
        batch.items.map(({ hasOutline }) => hasOutline),
      );
    }
    for (const { shown, withheld } of Object.values(counts)) {
      const n = shown + withheld;
      expect(n).toBeGreaterThan(100);
      // Five standard deviations: a fair draw fails once in two million runs.
      expect(Math.abs(withheld / n - share)).toBeLessThan(5 * Math.sqrt((share * (1 - share)) / n));
    }
  });

  it('takes as many statements for a large batch as for a small one', async () => {
    const counted = async (size: number) => {
      const { shop, curator } = await audited(db(), { ...on, batchSize: { attributes: 4, masks: size } });
      await ask(db(), shop, 'part-mask', size);
      await promoted(db(), shop, curator);
      const wanda = await worker(db(), shop);
      const texts = await statementsOf(() => take(db(), wanda, shop.stages['part-mask']));
      return texts.length;
    };
    expect(await counted(12)).toBe(await counted(2));
  });
});
