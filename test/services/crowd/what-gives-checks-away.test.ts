import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { UserActor } from '@/lib/services/access';
import { batchSummary } from '@/lib/services/crowd/batch-summary';
import {
  listWork,
  reportItem,
  returnBatch,
  settleOverdueLateAnswers,
  submitBatch,
  takeBatch,
} from '@/lib/services/crowd/work';
import { checkRules } from '@/lib/services/invariants/check-rules';
import { useDatabase } from '../../support/database';
import {
  addGold,
  addImage,
  answer,
  ask,
  checkLeases,
  doBatch,
  elsewhere,
  HEIGHT,
  itemsOf,
  marked,
  paidTo,
  square,
  take,
  WIDTH,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();
const half = { checkRate: 0.5, checkSchedule: 'flat' };
const mask = square.kind === 'mask' ? encodeCounts(rasterizeShapes(square.shapes, HEIGHT, WIDTH)) : null;

/** An image with several parts in the part stage; `gold` makes them known. */
async function addPartImage(shop: Workshop, parts: readonly string[], isGold: boolean): Promise<string> {
  const imageId = await addImage(db(), shop.projectId);
  for (const target of parts) {
    const state = isGold ? ('settled' as const) : ('open' as const);
    const [itemId] = await ask(db(), shop, 'part-mask', 1, { imageId, target, state });
    if (isGold)
      await db()
        .insert(tables.gold)
        .values({
          projectId: shop.projectId,
          itemId: itemId as string,
          value: square,
          mask,
          state: 'active',
        });
  }
  return imageId;
}

const parts = ['long-snout', 'tail', 'ears'];

async function imagesIn(batchId: string): Promise<{ imageId: string; isCheck: boolean; targets: number }[]> {
  const found = await db().execute<{ imageId: string; isCheck: boolean; targets: number }>(sql`
    select i.image_id as "imageId", bool_or(c.id is not null) as "isCheck", count(*)::int as targets
    from leases l join items i on i.id = l.item_id left join checks c on c.lease_id = l.id
    where l.batch_id = ${batchId} group by i.image_id`);
  return found.rows;
}

describe('late answers', () => {
  async function emptied(): Promise<{ shop: Workshop; wanda: UserActor; batchId: string; leases: string[] }> {
    const shop = await workshop(db(), half);
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 40);
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    await submitBatch(db(), wanda, { batchId: batch.id });
    return { shop, wanda, batchId: batch.id, leases: batch.items.map(({ leaseId }) => leaseId) };
  }

  it('sent one at a time change nothing that tells which of them was a check', async () => {
    const { wanda, batchId, leases } = await emptied();
    const hidden = await checkLeases(db(), batchId);
    expect(hidden.size).toBe(2);
    const seen = async () => {
      const { answered: _, activeMs: __, ...summary } = await batchSummary(db(), wanda, { batchId });
      const work = await listWork(db(), wanda);
      const paid = await paidTo(db(), wanda);
      return JSON.stringify([summary, work, paid], (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
    };
    const before = await seen();
    for (const leaseId of leases) {
      await answer(db(), wanda, leaseId);
      expect(await seen()).toBe(before);
    }
    const scored = await db().execute(
      sql`select 1 from checks where worker_id = ${wanda.userId} and passed is not null`,
    );
    expect(scored.rows).toEqual([]);
  });

  it('are scored, counted and paid together when the next batch ends', async () => {
    const { shop, wanda, leases } = await emptied();
    for (const leaseId of leases) await answer(db(), wanda, leaseId);
    const next = await take(db(), wanda, shop.stages['object-mask']);
    for (const { leaseId } of next.items) await answer(db(), wanda, leaseId);
    await submitBatch(db(), wanda, { batchId: next.id });
    const paid = await paidTo(db(), wanda);
    expect(paid.filter(({ kind }) => kind === 'item')).toHaveLength(4);
    const left = await db().execute(
      sql`select 1 from leases where state = 'late' and worker_id = ${wanda.userId}`,
    );
    expect(left.rows).toEqual([]);
  });

  it('of a worker who does not come back are settled an hour after the last of them', async () => {
    const { wanda, leases } = await emptied();
    for (const leaseId of leases) await answer(db(), wanda, leaseId);
    await settleOverdueLateAnswers(db());
    expect(await paidTo(db(), wanda)).toEqual([]);
    await db().transaction(async (tx) => {
      await tx.execute(sql`alter table answers disable trigger answers_append_only`);
      await tx.execute(
        sql`update answers set created_at = now() - interval '2 hours' where worker_id = ${wanda.userId}`,
      );
      await tx.execute(sql`alter table answers enable trigger answers_append_only`);
    });
    await settleOverdueLateAnswers(db());
    expect(await paidTo(db(), wanda)).toHaveLength(4);
  });

  it('are refused beyond the daily limit, with a reason', async () => {
    const shop = await workshop(db(), { limits: { lateAnswersPerDay: 1 } });
    await ask(db(), shop, 'object-mask', 4);
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, shop.stages['object-mask']);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const [first, second] = batch.items.map(({ leaseId }) => leaseId);
    await answer(db(), wanda, first as string);
    await expect(answer(db(), wanda, second as string)).rejects.toThrow(/after their batch had ended/);
  });
});

it('a late answer is refused while the questions are being changed', async () => {
  const shop = await workshop(db());
  await ask(db(), shop, 'object-mask', 4);
  const wanda = await worker(db(), shop);
  const batch = await take(db(), wanda, shop.stages['object-mask']);
  await submitBatch(db(), wanda, { batchId: batch.id });
  await db()
    .insert(tables.jobs)
    .values({ projectId: shop.projectId, kind: 'change-schema', title: 'Change', state: 'running' });
  await expect(answer(db(), wanda, batch.items[0]?.leaseId as string)).rejects.toThrow(/being changed/);
});

describe('an item left unanswered', () => {
  it('comes back whether it was a check or not', async () => {
    const shop = await workshop(db(), half);
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 60);
    const stageId = shop.stages['object-mask'];
    const outcomes = { check: 0, ordinary: 0 };
    for (let n = 0; n < 8; n++) {
      const actor = await worker(db(), shop, `W${n}`);
      const batch = await take(db(), actor, stageId);
      const hidden = await checkLeases(db(), batch.id);
      // Every other worker leaves a check, the others an ordinary item.
      const left = batch.items.find(({ leaseId }) => hidden.has(leaseId) === (n % 2 === 0));
      if (!left) throw new Error('Half of a batch is checks.');
      for (const { leaseId } of batch.items) if (leaseId !== left.leaseId) await answer(db(), actor, leaseId);
      await submitBatch(db(), actor, { batchId: batch.id });
      const next = await take(db(), actor, stageId);
      expect(next.items.map(({ leaseId }) => leaseId)).toContain(left.leaseId);
      outcomes[hidden.has(left.leaseId) ? 'check' : 'ordinary'] += 1;
      await returnBatch(db(), actor, { batchId: next.id });
    }
    expect(outcomes).toEqual({ check: 4, ordinary: 4 });
  });

  it('does not come back when another worker took it, or took the twin of a check', async () => {
    const shop = await workshop(db(), half);
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 4);
    const stageId = shop.stages['object-mask'];
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, stageId);
    await submitBatch(db(), wanda, { batchId: batch.id });
    await take(db(), await worker(db(), shop, 'Will'), stageId);
    await ask(db(), shop, 'object-mask', 4);
    const next = await take(db(), wanda, stageId);
    const old = new Set(batch.items.map(({ leaseId }) => leaseId));
    expect(next.items.filter(({ leaseId }) => old.has(leaseId))).toEqual([]);
  });
});

describe('an item reported as broken', () => {
  const miscounted = async () =>
    (await checkRules(db())).filter(
      ({ name, violations }) => violations > 0 && /leases are counted|reservations end/.test(name),
    );

  it('was available to a second account immediately unless it was a check: now no item is before the batch ends', async () => {
    const shop = await workshop(db(), half);
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 4);
    const stageId = shop.stages['object-mask'];
    const [wanda, will] = [await worker(db(), shop), await worker(db(), shop, 'Will')];
    const batch = await take(db(), wanda, stageId);
    const supply = async () => (await listWork(db(), will)).find(({ stage }) => stage.id === stageId)?.supply;
    for (const { leaseId } of batch.items) {
      await reportItem(db(), wanda, { leaseId, messageId: newId(), kind: 'broken-image', text: '' });
      expect(await supply()).toBe('none');
      expect(await takeBatch(db(), will, { stageId })).toBeNull();
    }
    expect(await miscounted()).toEqual([]);
    await submitBatch(db(), wanda, { batchId: batch.id });
    expect(await supply()).toBe('few');
    expect(await miscounted()).toEqual([]);
  });
});

describe('an image that a worker knows as gold of another stage', () => {
  it('was a hidden check as often as any other: now only when no other gold is left', async () => {
    const shop = await workshop(db(), { ...half, attributeExam: { isRequired: true, images: 4 } });
    const examined = await addGold(db(), shop, 'attributes', 4, marked(shop, 'tail'), { pool: 'exam' });
    const fresh = await addGold(db(), shop, 'object-mask', 4, square);
    const known = await addGold(db(), shop, 'object-mask', 4, square);
    // The same images as those of the exam.
    await db().execute(sql`
      update items i set image_id = other.image_id
      from (select g.item_id, row_number() over (order by g.id) as n from gold g where g.id = any (${sql.param(known)}::uuid[])) own
      join (select x.image_id, row_number() over (order by g.id) as n from gold g join items x on x.id = g.item_id
        where g.id = any (${sql.param(examined)}::uuid[])) other using (n)
      where i.id = own.item_id`);
    await ask(db(), shop, 'object-mask', 40);
    const wanda = await worker(db(), shop);
    await doBatch(db(), wanda, shop.stages.attributes, () => marked(shop, 'tail'), 'exam');
    const met: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { id } = await doBatch(db(), wanda, shop.stages['object-mask'], () => square);
      const found = await db().execute<{ goldId: string }>(sql`
        select c.gold_id as "goldId" from checks c join leases l on l.id = c.lease_id where l.batch_id = ${id}`);
      met.push(...found.rows.map(({ goldId }) => goldId));
    }
    expect(new Set(met.slice(0, 4))).toEqual(new Set(fresh));
    expect(met.slice(4).every((goldId) => known.includes(goldId))).toBe(true);
    expect(met).toHaveLength(6);
  });
});

describe('a part stage', () => {
  it('leases gold images whole and without neighbours, as it does ordinary ones', async () => {
    const shop = await workshop(db(), { ...half, batchSize: { attributes: 4, masks: 12 } });
    for (let n = 0; n < 8; n++) await addPartImage(shop, parts, true);
    for (let n = 0; n < 8; n++) await addPartImage(shop, parts, false);
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, shop.stages['part-mask']);
    const images = await imagesIn(batch.id);
    expect(images).toHaveLength(4);
    expect(images.filter(({ isCheck }) => isCheck)).toHaveLength(2);
    expect(new Set(images.map(({ targets }) => targets))).toEqual(new Set([3]));
    expect(batch.items.every(({ neighbours }) => neighbours.length === 0)).toBe(true);
  });

  it('copies a partly finished image: the same parts are open, the others are drawn', async () => {
    const shop = await workshop(db(), { checkRate: 0, batchSize: { attributes: 4, masks: 6 } });
    for (let n = 0; n < 6; n++) await addPartImage(shop, parts, true);
    for (let n = 0; n < 6; n++) await addPartImage(shop, parts, false);
    const stageId = shop.stages['part-mask'];
    const wanda = await worker(db(), shop);
    for (let n = 0; n < 3; n++) {
      const batch = await take(db(), wanda, stageId);
      for (const { leaseId, target } of batch.items)
        if (target?.id !== 'tail') await answer(db(), wanda, leaseId);
      // Returned, so that the tails go to another worker.
      await returnBatch(db(), wanda, { batchId: batch.id });
    }
    await db().execute(sql`
      update projects set policy = policy || '{"checkRate": 0.5, "checkSchedule": "flat"}'::jsonb
      where id = ${shop.projectId}`);
    const will = await worker(db(), shop, 'Will');
    const batch = await take(db(), will, stageId);
    const hidden = await checkLeases(db(), batch.id);
    expect(hidden.size).toBeGreaterThan(0);
    expect(hidden.size).toBeLessThan(batch.items.length);
    for (const item of batch.items) {
      expect(item.target?.id).toBe('tail');
      expect(item.neighbours.map(({ target }) => target).sort()).toEqual(['ears', 'long-snout']);
    }
  });

  it('asks about the parts of a gold image that nobody knows yet, and pays for the others too', async () => {
    const shop = await workshop(db(), { ...half, batchSize: { attributes: 4, masks: 4 } });
    const imageId = await addPartImage(shop, ['tail'], true);
    const [open] = await ask(db(), shop, 'part-mask', 1, { imageId, target: 'ears', priority: -1 });
    for (let n = 0; n < 4; n++) await addPartImage(shop, ['tail', 'ears'], false);
    const stageId = shop.stages['part-mask'];
    for (const name of ['Wanda', 'Will']) {
      const actor = await worker(db(), shop, name);
      const batch = await take(db(), actor, stageId);
      const images = await imagesIn(batch.id);
      expect(images.find((image) => image.imageId === imageId)).toMatchObject({ isCheck: true, targets: 2 });
      for (const { leaseId } of batch.items) await answer(db(), actor, leaseId);
      await submitBatch(db(), actor, { batchId: batch.id });
      expect((await paidTo(db(), actor))[0]?.amountMicro).toBe(BigInt(batch.items.length) * 100_000n);
    }
    const items = await itemsOf(db(), stageId);
    expect(items.find(({ id }) => id === open)).toMatchObject({ state: 'settled', answered: 1, leased: 0 });
    expect(items.every(({ leased }) => leased === 0)).toBe(true);
  });

  it('shows the worker their own drawing beside parts that come back, on gold as on other images', async () => {
    const shop = await workshop(db(), { ...half, batchSize: { attributes: 4, masks: 12 } });
    for (let n = 0; n < 8; n++) await addPartImage(shop, parts, true);
    for (let n = 0; n < 8; n++) await addPartImage(shop, parts, false);
    const stageId = shop.stages['part-mask'];
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, stageId);
    const hidden = await checkLeases(db(), batch.id);
    const left = batch.items.filter(({ target }) => target?.id === 'tail').map(({ leaseId }) => leaseId);
    for (const { leaseId } of batch.items)
      if (!left.includes(leaseId)) await answer(db(), wanda, leaseId, elsewhere);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const next = await take(db(), wanda, stageId);
    const returned = next.items.filter(({ leaseId }) => left.includes(leaseId));
    expect(returned.map(({ leaseId }) => leaseId).sort()).toEqual([...left].sort());
    expect(new Set(returned.map(({ leaseId }) => hidden.has(leaseId)))).toEqual(new Set([true, false]));
    const drawn = elsewhere.kind === 'mask' && rasterizeShapes(elsewhere.shapes, HEIGHT, WIDTH);
    const counts = drawn && encodeCounts(drawn);
    for (const { neighbours } of returned)
      expect(neighbours).toEqual(['ears', 'long-snout'].map((target) => ({ target, counts })));
  });

  it('brings back a part that was left unanswered although the gold of its image was answered', async () => {
    const shop = await workshop(db(), { ...half, batchSize: { attributes: 4, masks: 4 } });
    const imageId = await addPartImage(shop, ['tail'], true);
    await ask(db(), shop, 'part-mask', 1, { imageId, target: 'ears', priority: -1 });
    for (let n = 0; n < 4; n++) await addPartImage(shop, ['tail', 'ears'], false);
    const stageId = shop.stages['part-mask'];
    const wanda = await worker(db(), shop);
    const batch = await take(db(), wanda, stageId);
    expect((await imagesIn(batch.id)).find((image) => image.imageId === imageId)?.isCheck).toBe(true);
    const left = batch.items.filter(({ target }) => target?.id === 'ears').map(({ leaseId }) => leaseId);
    expect(left).toHaveLength(2);
    for (const { leaseId } of batch.items) if (!left.includes(leaseId)) await answer(db(), wanda, leaseId);
    await submitBatch(db(), wanda, { batchId: batch.id });
    const next = await take(db(), wanda, stageId);
    expect(next.items.map(({ leaseId }) => leaseId)).toEqual(expect.arrayContaining(left));
  });
});

describe('the order of work', () => {
  it('mixes classes that were uploaded in blocks', async () => {
    const shop = await workshop(db(), { batchSize: { attributes: 20, masks: 20 } });
    for (const className of ['dog', 'cat', 'ship', 'truck'])
      for (let n = 0; n < 20; n++) {
        const imageId = await addImage(db(), shop.projectId, className);
        await ask(db(), shop, 'object-mask', 1, { imageId });
      }
    const batch = await take(db(), await worker(db(), shop), shop.stages['object-mask']);
    const classes = new Set(batch.items.map(({ className }) => className));
    expect(classes.size).toBeGreaterThanOrEqual(3);
  });

  it('gives a check the class of the image whose place it takes', async () => {
    const shop = await workshop(db(), { ...half, batchSize: { attributes: 20, masks: 20 } });
    // The pool is dogs, the gold is every class.
    for (let n = 0; n < 30; n++) await ask(db(), shop, 'object-mask', 1);
    const goldIds = await addGold(db(), shop, 'object-mask', 40, square);
    await db().execute(sql`
      update images set class_name = case when random() < 0.5 then 'ship' else class_name end
      where id in (select i.image_id from gold g join items i on i.id = g.item_id
        where g.id = any (${sql.param(goldIds.slice(0, 20))}::uuid[]))`);
    const batch = await take(db(), await worker(db(), shop), shop.stages['object-mask']);
    expect(new Set(batch.items.map(({ className }) => className))).toEqual(new Set(['dog']));
  });

  it('shrinks the pool by the size of the batch, whatever part of it is checks', async () => {
    const shop = await workshop(db(), half);
    await addGold(db(), shop, 'object-mask', 20, square);
    await ask(db(), shop, 'object-mask', 10);
    const stageId = shop.stages['object-mask'];
    const free = async () =>
      (await itemsOf(db(), stageId)).filter(
        ({ state, leased, answered, overlap }) => state === 'open' && leased + answered < overlap,
      ).length;
    const batch = await take(db(), await worker(db(), shop), stageId);
    expect(await free()).toBe(10 - batch.items.length);
  });
});
