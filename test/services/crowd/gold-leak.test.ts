import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { getFeedback, reportItem, saveDraft, submitAnswer } from '@/app/api/v1/leases';
import { getBatch, heartbeat, submitBatch, takeBatch } from '@/app/api/v1/work';
import { newId, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';
import { submitBatch as handIn } from '@/lib/services/crowd/work';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { keyOf } from '../access/people';
import { statementsOf } from './statements-of';
import {
  addGold,
  answer,
  ask,
  checkLeases,
  elsewhere,
  square,
  take,
  type Workshop,
  worker,
  workshop,
} from './workshop';

const db = useDatabase();
const kind = 'part-mask' as const;
let shop: Workshop;
let actor: UserActor;
let headers: Record<string, string>;

beforeAll(async () => {
  const batchSize = { attributes: 8, masks: 8 };
  shop = await workshop(db(), { batchSize, checkRate: 0.5, checkSchedule: 'flat' });
  actor = await worker(db(), shop);
  await ask(db(), shop, kind, 60);
  await addGold(db(), shop, kind, 60, square);
});

/** Names, kinds and the form of every value; what differs from item to item is told by its form only. */
function formOf(value: unknown): unknown {
  if (typeof value === 'string')
    return value
      .replace(/[0-9a-f-]{32,}/g, '#')
      .replace(/[\w-]{30,}/g, '#')
      .replace(/\d+/g, '0');
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.entries(value).map(([name, inner]) => [name, formOf(inner)]);
}

/** What a worker can see of each item of a batch, from the first look to the answer. */
async function watch() {
  // A key of its own: one key may not ask as often as seven batches take.
  headers = withKey(await keyOf(db(), actor, 'read', 'labels:write'));
  const taken = await call(takeBatch, { params: { stage: shop.stages[kind] }, headers });
  const params = { batch: taken.json.batch.id };
  const hidden = await checkLeases(db(), params.batch);
  const shown = (await call(getBatch, { params, headers })).json;
  const seen = [];
  for (const item of shown.items) {
    const lease = { lease: item.leaseId };
    const replies = [
      await call(saveDraft, { params: lease, headers, body: { revision: 0, document: { a: 1 } } }),
      await call(saveDraft, { params: lease, headers, body: { revision: 0, document: { a: 2 } } }),
      await call(getFeedback, { params: lease, headers }),
      await call(submitAnswer, {
        params: lease,
        headers,
        body: { id: newId(), value: { kind: 'class', className: 'dog' }, activeMs: 1 },
      }),
      await call(submitAnswer, {
        params: lease,
        headers,
        body: { id: newId(), value: item.position % 2 ? square : elsewhere, activeMs: 1 },
      }),
      await call(submitAnswer, { params: lease, headers, body: { id: newId(), value: square, activeMs: 1 } }),
      await call(reportItem, { params: lease, headers, body: { id: newId(), kind: 'comment', text: 'hm' } }),
      await call(saveDraft, { params: lease, headers, body: { revision: 1, document: {} } }),
    ];
    const { position, ...fields } = item;
    const after = (await call(getBatch, { params, headers })).json.items[position];
    const all = [
      fields,
      ...replies.map(({ status, json }) => ({ status, json })),
      { ...after, position: 0, answer: null },
    ];
    seen.push({ isCheck: hidden.has(item.leaseId), position, form: JSON.stringify(all.map(formOf)) });
  }
  expect((await call(heartbeat, { params, headers })).status).toBe(200);
  expect((await call(submitBatch, { params, headers })).status).toBe(200);
  return { id: params.batch as string, seen, shown };
}

describe('a hidden check', () => {
  it('has the fields, the forms and the replies of any other item, wherever it lies in the batch', async () => {
    const places = new Map<number, Set<boolean>>();
    for (let n = 0; n < 6; n++) {
      const { seen } = await watch();
      expect(seen.filter((item) => item.isCheck)).toHaveLength(4);
      expect(new Set(seen.map((item) => item.form)).size).toBe(1);
      for (const { position, isCheck } of seen)
        places.set(position, (places.get(position) ?? new Set()).add(isCheck));
    }
    // Eight places, six batches: by chance one place in 32 has been of one kind only.
    const mixed = [...places.values()].filter((kinds) => kinds.size === 2);
    expect(mixed.length).toBeGreaterThanOrEqual(5);
  });

  it('has a lease id of the same moment as the others, in the order of the places', async () => {
    const { shown } = await watch();
    const ids = shown.items.map((item: { leaseId: string }) => item.leaseId);
    const moments = ids.map((id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16));
    expect(Math.max(...moments) - Math.min(...moments)).toBeLessThanOrEqual(5);
  });

  it('takes the same statements to store an answer as any other item', async () => {
    const wes = await worker(db(), shop, 'Wes');
    const batch = await take(db(), wes, shop.stages[kind]);
    const hidden = await checkLeases(db(), batch.id);
    const paths = new Map<string, Set<boolean>>();
    for (const { leaseId } of batch.items) {
      const path = (await statementsOf(() => answer(db(), wes, leaseId))).join('\n');
      paths.set(path, (paths.get(path) ?? new Set()).add(hidden.has(leaseId)));
    }
    expect([...paths.values()]).toEqual([new Set([true, false])]);
    expect([...paths.keys()][0]).toContain('insert into "answers"');
  });

  it('shows what else is known on its picture, like any other item, and the worker is asked about none of that', async () => {
    const alone = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat' });
    const stageId = alone.stages[kind];
    const open = await ask(db(), alone, kind, 20);
    const [goldId] = await addGold(db(), alone, kind, 1, square);
    const [known] = await db()
      .select()
      .from(tables.gold)
      .where(eq(tables.gold.id, goldId as string));
    const { id: _, itemId: goldItem, ...goldFields } = known as NonNullable<typeof known>;
    for (const itemId of [...open, goldItem]) {
      const [item] = await db().select().from(tables.items).where(eq(tables.items.id, itemId));
      const imageId = item?.imageId as string;
      for (const target of ['tail', 'ears']) {
        const [drawn] = await ask(db(), alone, kind, 1, { imageId, target, state: 'settled', answered: 1 });
        if (itemId === goldItem)
          await db()
            .insert(tables.gold)
            .values({ ...goldFields, itemId: drawn as string });
        else
          await db()
            .insert(tables.labels)
            .values({
              projectId: alone.projectId,
              itemId: drawn as string,
              imageId,
              target,
              value: square,
              mask: goldFields.mask,
              area: 400,
              source: 'answer',
              provenance: {},
              confidence: 1,
            });
      }
    }
    const wes = await worker(db(), alone, 'Wes');
    const batch = await take(db(), wes, stageId);
    const hidden = await checkLeases(db(), batch.id);
    expect(hidden.size).toBe(1);
    // The gold image looks like the images beside it: one part is asked about, two are drawn already.
    expect(batch.items).toHaveLength(4);
    for (const { target, neighbours } of batch.items) {
      expect(target?.id).toBe('long-snout');
      expect(neighbours).toEqual(['ears', 'tail'].map((part) => ({ target: part, counts: goldFields.mask })));
    }
    for (const { leaseId } of batch.items) await answer(db(), wes, leaseId);
    await handIn(db(), wes, { batchId: batch.id });
    expect((await checkLeases(db(), (await take(db(), wes, stageId)).id)).size).toBe(0);
  });

  it('on a fresh picture is asked about with all of its parts, and none of them shows another', async () => {
    const alone = await workshop(db(), { checkRate: 0.5, checkSchedule: 'flat' });
    const stageId = alone.stages[kind];
    await ask(db(), alone, kind, 20);
    const [goldId] = await addGold(db(), alone, kind, 1, square);
    const [known] = await db()
      .select({ gold: tables.gold, imageId: tables.items.imageId })
      .from(tables.gold)
      .innerJoin(tables.items, eq(tables.items.id, tables.gold.itemId))
      .where(eq(tables.gold.id, goldId as string));
    const { gold, imageId } = known as NonNullable<typeof known>;
    for (const target of ['tail', 'ears']) {
      const [itemId] = await ask(db(), alone, kind, 1, { imageId, target, state: 'settled', answered: 1 });
      const { id: _, ...fields } = gold;
      await db()
        .insert(tables.gold)
        .values({ ...fields, itemId: itemId as string });
    }
    const wes = await worker(db(), alone, 'Wes');
    const batch = await take(db(), wes, stageId);
    const hidden = await checkLeases(db(), batch.id);
    const checks = batch.items.filter((item) => hidden.has(item.leaseId));
    expect(checks.map((item) => item.target?.id).sort()).toEqual(['ears', 'long-snout', 'tail']);
    expect(batch.items).toHaveLength(3 + 3);
    expect(batch.items.flatMap((item) => item.neighbours)).toEqual([]);
    // The targets of an image stay together.
    const places = checks.map((item) => item.position);
    expect(Math.max(...places) - Math.min(...places)).toBe(2);
    for (const { leaseId } of batch.items) await answer(db(), wes, leaseId);
    await handIn(db(), wes, { batchId: batch.id });
    expect((await checkLeases(db(), (await take(db(), wes, stageId)).id)).size).toBe(0);
  });

  it('is not told by the end of a batch, which is the same with and without', async () => {
    const plain = await workshop(db());
    await ask(db(), plain, kind, 4);
    const wes = await worker(db(), plain, 'Wes');
    const key = withKey(await keyOf(db(), wes, 'read', 'labels:write'));
    const batch = await take(db(), wes, plain.stages[kind]);
    for (const { leaseId } of batch.items) await answer(db(), wes, leaseId);
    const without = await call(submitBatch, { params: { batch: batch.id }, headers: key });
    const taken = await call(takeBatch, { params: { stage: shop.stages[kind] }, headers });
    const shown = (await call(getBatch, { params: { batch: taken.json.batch.id }, headers })).json;
    for (const { leaseId } of shown.items) await answer(db(), actor, leaseId);
    const withChecks = await call(submitBatch, { params: { batch: shown.id }, headers });
    expect(formOf(withChecks.json)).toEqual(formOf(without.json));
  });
});
