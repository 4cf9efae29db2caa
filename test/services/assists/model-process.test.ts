import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { area, decodeCounts, iou, rasterizeShapes } from '@/lib/core/mask';
import { ModelProcess } from '@/lib/services/inference/assists/model-process';
import type { ModelQuestion } from '@/lib/services/inference/assists/run-models';
import { tinyOnnx } from '../../support/tiny-onnx';
import { brightness, SIDE, tinySam } from '../../support/tiny-sam';

const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-models-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: Buffer) {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return { file: place, sha256: null };
}

/** Models that find what is bright: no more is needed to see whether everything around them works. */
const network = file(
  'bright.onnx',
  tinyOnnx({
    inputs: { image: [1, 3, SIDE, SIDE] },
    outputs: { saliency: [1, 1, SIDE, SIDE] },
    nodes: [{ ...brightness, inputs: ['image'], outputs: ['saliency'] }],
  }),
);
const encoder = file('encoder.onnx', tinySam.encoder);
const decoder = file('decoder.onnx', tinySam.decoder);

const models: ModelQuestion['models'] = {
  salientObject: { name: 'bright', network },
  segmentAnything: { name: 'bright-sam', encoder, decoder },
};

const size = { width: 128, height: 128 };
const square = { kind: 'polygon', op: 'add', outer: [32, 40, 96, 40, 96, 88, 32, 88], holes: [] } as const;

/** A white rectangle on black. */
const bytes = await sharp({ create: { ...size, channels: 3, background: '#000' } })
  .composite([
    { input: { create: { width: 64, height: 48, channels: 3, background: '#fff' } }, left: 32, top: 40 },
  ])
  .png()
  .toBuffer();

const question = (prompt: ModelQuestion['prompt'], given = models): ModelQuestion => ({
  models: given,
  picture: { key: 'white-on-black', bytes, size },
  prompt,
});
const mainObject = question({ kind: 'main-object' });

const overlap = (counts: string | null) =>
  iou(
    decodeCounts(counts ?? '', size.height, size.width),
    rasterizeShapes([square], size.height, size.width),
  );

let running: ModelProcess;
const start = () => {
  running = new ModelProcess();
  return running;
};
afterEach(() => running.close());

/** Of the models, as the system knows them. */
const children = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('model-child'))
    .map((line) => Number.parseInt(line, 10));

describe('the process in which models run', () => {
  it('finds the main object, and what a click or a box shows, with real models', async () => {
    const own = start();
    const found = await own.ask(mainObject);
    expect(found.model).toBe('bright');
    expect(overlap(found.counts)).toBeGreaterThan(0.9);
    expect(await own.ask(question(null))).toMatchObject({ counts: null });
    const clicked = await own.ask(question({ kind: 'point', points: [{ x: 60, y: 60, include: true }] }));
    expect(clicked.model).toMatch(/^bright-sam@[0-9a-f]{12}$/);
    expect(overlap(clicked.counts)).toBeGreaterThan(0.9);
    expect(area(decodeCounts(clicked.counts ?? '', size.height, size.width))).toBeGreaterThan(0);
  });

  it('tells when a file is no model, or not the one that was installed, and works on', async () => {
    const own = start();
    const broken = { name: 'broken', network: file('broken.onnx', Buffer.from('no model at all')) };
    await expect(
      own.ask(question({ kind: 'main-object' }, { ...models, salientObject: broken })),
    ).rejects.toThrow('failed on this image');
    const other = { name: 'other', network: { ...network, sha256: '0'.repeat(64) } };
    // Another path: a model that is open stays open.
    other.network.file = file('copy.onnx', tinyOnnx({ inputs: {}, outputs: {}, nodes: [] })).file;
    await expect(
      own.ask(question({ kind: 'main-object' }, { ...models, salientObject: other })),
    ).rejects.toThrow('failed on this image');
    expect(overlap((await own.ask(mainObject)).counts)).toBeGreaterThan(0.9);
  });

  it('that is killed in the middle of a question is said to have failed, and the next question starts it anew', async () => {
    const own = start();
    await own.ask(mainObject);
    const [before] = children();
    const asked = own.ask(mainObject);
    process.kill(before as number, 'SIGKILL');
    await expect(asked).rejects.toThrow('failed on this image');
    expect(overlap((await own.ask(mainObject)).counts)).toBeGreaterThan(0.9);
    expect(children()).not.toContain(before);
  });

  it('lets a dozen wait and sends the next away at once', async () => {
    const own = start();
    const asked = Array.from({ length: 13 }, () => own.ask(mainObject));
    const answers = await Promise.allSettled(asked);
    expect(answers.slice(0, 12).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(answers[12]).toMatchObject({
      reason: { message: expect.stringContaining('smart tools are busy') },
    });
  });
});
