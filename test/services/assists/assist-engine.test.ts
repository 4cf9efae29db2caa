import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { area, decodeCounts, encodeCounts, iou, rasterizeShapes } from '@/lib/core/mask';
import { AssistEngine, type EnginePicture } from '@/lib/services/inference/assists/assist-engine';
import type { PlacePrompt } from '@/lib/services/inference/assists/prompt';
import { sha256Of } from '@/lib/services/storage';
import { tinyOnnx } from '../../support/tiny-onnx';
import { brightness, SIDE, tinySam } from '../../support/tiny-sam';
import { tinySam2 } from '../../support/tiny-sam2';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-models-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: Buffer) {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return { file: place, sha256: null };
}

/** Models that find what is bright: no more is needed to see whether everything around them works. */
const salientObject = {
  name: 'bright',
  network: file(
    'bright.onnx',
    tinyOnnx({
      inputs: { image: [1, 3, SIDE, SIDE] },
      outputs: { saliency: [1, 1, SIDE, SIDE] },
      nodes: [{ ...brightness, inputs: ['image'], outputs: ['saliency'] }],
    }),
  ),
};
const sam = {
  name: 'first-sam',
  encoder: file('encoder.onnx', tinySam.encoder),
  decoder: file('decoder.onnx', tinySam.decoder),
};
const sam2 = {
  name: 'sam2',
  encoder: file('encoder2.onnx', tinySam2.encoder),
  decoder: file('decoder2.onnx', tinySam2.decoder),
};

/** Twice as wide as high: SAM 2 stretches it, its predecessor pads it. */
const size = { width: 128, height: 64 };
const square = { kind: 'polygon', op: 'add', outer: [32, 20, 96, 20, 96, 44, 32, 44], holes: [] } as const;
const truth = rasterizeShapes([square], size.height, size.width);

/** A white rectangle on a grey ground; the grey makes different pictures. */
async function picture(grey: number, within = size): Promise<EnginePicture> {
  const background = { r: grey, g: grey, b: grey };
  const bytes = await sharp({ create: { ...within, channels: 3, background } })
    .composite([
      { input: { create: { width: 64, height: 24, channels: 3, background: '#fff' } }, left: 32, top: 20 },
    ])
    .png()
    .toBuffer();
  return { sha256: sha256Of(bytes), size: within, read: async () => bytes };
}
const pictures = await Promise.all([0, 10, 20, 30].map((grey) => picture(grey)));
const [first, second] = pictures as [EnginePicture, EnginePicture];

const ann = { id: 'ann', isVeiled: false };
const click: PlacePrompt = { kind: 'point', points: [{ x: 60, y: 30, include: true }] };
const box: PlacePrompt = { kind: 'box', box: [32, 20, 64, 24], points: [] };

const masksOf = (masks: readonly { counts: string }[]) =>
  masks.map(({ counts }) => decodeCounts(counts, size.height, size.width));

const running: AssistEngine[] = [];
let made = 0;
function start(cache = path.join(folder, `cache${made++}`), maxBytes = 100e6, expectedEncodeMs?: number) {
  const engine = new AssistEngine({ cache: () => ({ folder: cache, maxBytes }), expectedEncodeMs });
  running.push(engine);
  return { engine, cache };
}
afterEach(() => {
  for (const engine of running.splice(0)) engine.close();
});

/** Model processes, as the system knows them. */
const children = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('model-child'))
    .map((line) => Number.parseInt(line, 10));

describe('the engine of the smart tools', () => {
  it('finds the main object, and what a click shows to the first Segment Anything', async () => {
    const { engine } = start();
    const main = await engine.findMainObject(ann, salientObject, first);
    expect(main.model).toBe('bright');
    expect(iou(masksOf(main.masks)[0] as never, truth)).toBeGreaterThan(0.9);
    // The stand-in does not cut off the padding, so the picture has none.
    const wide = await picture(0, { width: 128, height: 128 });
    const clicked = await engine.segment({ user: ann, model: sam, picture: wide, prompts: [click] });
    expect(clicked.model).toMatch(/^first-sam@[0-9a-f]{12}$/);
    const found = decodeCounts(clicked.masks[0]?.counts ?? '', 128, 128);
    expect(iou(found, rasterizeShapes([square], 128, 128))).toBeGreaterThan(0.85);
  });

  it('answers many prompts of SAM 2 in one call, each by itself and in their order', async () => {
    const { engine } = start();
    // A click, a box and a box that starts from a mask take a run of the model each.
    const prompts = [box, click, { ...box, mask: encodeCounts(truth) }, box];
    const found = await engine.segment({ user: ann, model: sam2, picture: first, prompts });
    const overlaps = masksOf(found.masks).map((mask) => iou(mask, truth));
    expect(overlaps.map((value) => value > 0.85)).toEqual([true, false, true, true]);
    expect(area(masksOf(found.masks)[1] as never)).toBeGreaterThan(4000);
    expect(found.masks.map(({ score }) => score)).toEqual([3, 1, 3, 3]);
  });

  it('encodes a picture once, even for another process', async () => {
    const { engine, cache } = start();
    let reads = 0;
    const read = () => {
      reads++;
      return first.read();
    };
    const counted = { ...first, read };
    const request = { user: ann, model: sam2, picture: counted, prompts: [box] };
    await Promise.all([engine.segment(request), engine.segment(request), engine.prepare(request)]);
    const other = start(cache).engine;
    expect(await other.isReady(request)).toBe(true);
    await other.segment(request);
    expect(reads).toBe(1);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  it('encodes again when another model is installed, or the embedding is gone', async () => {
    const { engine, cache } = start();
    await engine.segment({ user: ann, model: sam2, picture: first, prompts: [box] });
    await engine.segment({ user: ann, model: sam, picture: first, prompts: [click] });
    expect(readdirSync(cache)).toHaveLength(2);
    rmSync(cache, { recursive: true });
    const again = await engine.segment({ user: ann, model: sam2, picture: second, prompts: [box] });
    expect(again.masks).toHaveLength(1);
    expect(readdirSync(cache)).toHaveLength(1);
  });

  it('keeps the embeddings within the disk space, the ones used last', async () => {
    // Three tensors of 3 × 64 × 64 halves each: room for two of them.
    const { engine, cache } = start(undefined, 2.5 * 3 * 3 * SIDE * SIDE * 2);
    for (const each of pictures) await engine.prepare({ user: ann, model: sam2, picture: each });
    expect(readdirSync(cache)).toHaveLength(2);
    const ready = await Promise.all(
      pictures.map((each) => engine.isReady({ user: ann, model: sam2, picture: each })),
    );
    expect(ready).toEqual([false, false, true, true]);
  });

  it('reports files that are no models, or not the installed ones, and works on', async () => {
    const { engine } = start();
    const broken = { name: 'broken', network: file('broken.onnx', Buffer.from('no model at all')) };
    await expect(engine.findMainObject(ann, broken, first)).rejects.toThrow('failed on this image');
    const other = { ...sam2, encoder: { ...sam2.encoder, sha256: '0'.repeat(64) } };
    await expect(engine.segment({ user: ann, model: other, picture: first, prompts: [box] })).rejects.toThrow(
      'failed on this image',
    );
    const found = await engine.segment({ user: ann, model: sam2, picture: first, prompts: [box] });
    expect(found.masks).toHaveLength(1);
  });

  it('survives its killed processes: the request fails, and the next one starts them again', async () => {
    const { engine } = start();
    const request = { user: ann, model: sam2, prompts: [box] };
    await engine.segment({ ...request, picture: first });
    const before = children();
    expect(before).toHaveLength(2);
    const asked = [
      engine.segment({ ...request, picture: first }),
      engine.segment({ ...request, picture: second }),
    ];
    // The requests reach the processes a moment later.
    setImmediate(() => before.map((pid) => process.kill(pid, 'SIGKILL')));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    for (const each of [first, second]) {
      const found = await engine.segment({ ...request, picture: each });
      expect(iou(masksOf(found.masks)[0] as never, truth)).toBeGreaterThan(0.85);
    }
    expect(children().some((pid) => before.includes(pid))).toBe(false);
  });

  it('lets a dozen prompts of one person wait and refuses the next', async () => {
    const { engine } = start();
    const ask = (user = ann) => engine.segment({ user, model: sam2, picture: first, prompts: [box] });
    await ask();
    const answers = await Promise.allSettled([
      ...Array.from({ length: 20 }, () => ask()),
      ask({ id: 'bob', isVeiled: false }),
    ]);
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(7);
    expect(refused.length).toBeLessThanOrEqual(8);
    expect(refused[0]).toMatchObject({
      reason: { message: expect.stringContaining('smart tools are busy') },
    });
    expect(answers[20]).toMatchObject({ status: 'fulfilled' });
  });

  it('does not tell a worker that somebody else has had the picture', async () => {
    const { cache, engine: before } = start();
    await before.prepare({ user: ann, model: sam2, picture: first });
    const { engine } = start(cache, undefined, 1500);
    const worker = { id: 'wanda', isVeiled: true };
    const request = { user: worker, model: sam2, picture: first };
    const order: string[] = [];
    const veiled = engine.prepare(request).then(() => order.push('worker'));
    expect(await engine.isReady(request)).toBe(false);
    await engine.prepare({ ...request, user: ann }).then(() => order.push('curator'));
    expect(await engine.isReady(request)).toBe(false);
    await veiled;
    expect(order).toEqual(['curator', 'worker']);
    expect(await engine.isReady(request)).toBe(true);
  });
});
