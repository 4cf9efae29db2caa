import { readdirSync, writeSync } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import type { Sample, VariantContext } from '@/lib/core/robustness/types';
import { type CellEntry, querySample } from '@/lib/services/evaluations/compute-rows';
import { SamplePool } from '@/lib/services/evaluations/sample-pool';
import { createVariantContext } from '@/lib/services/evaluations/variant-context';
import { openModel } from '@/lib/services/inference/runner/open-model';
import { startModel } from '@/lib/services/inference/runner/processes';
import {
  type PictureLocation,
  SharedPictureReader,
  SharedPictureWriter,
  splitBatch,
} from '@/lib/services/inference/runner/shared-pictures';
import { ATTRIBUTES, ellipse, sampleOf } from '../../core/robustness/samples';
import { FEATURES, SIDE, tinyClassifier } from '../../support/tiny-classifier';
import { type TinyGraph, tinyOnnx } from '../../support/tiny-onnx';
import { blobs, withFiles } from '../evaluations/models';

const { onnx, probabilities, gradient, contract } = tinyClassifier();
const pictures = Array.from({ length: 9 }, (_, i) => blobs(SIDE, i));
const files = {
  'model.onnx': onnx,
  'model.grad.onnx': gradient,
  'probs.onnx': probabilities,
  'three.onnx': tinyClassifier({ batch: 3 }).onnx,
};

describe('a model that is asked', () => {
  it('gives the same bits whatever the batch, and whether or not its map is asked for', async () => {
    await withFiles(files, async (place) => {
      await using one = await openModel({ file: place('model.onnx'), contract, batch: 1 });
      const alone = await one.logits(pictures);
      for (const batch of [2, 4, 32]) {
        await using model = await openModel({ file: place('model.onnx'), contract, batch });
        expect(await model.logits(pictures)).toEqual(alone);
        expect((await model.features?.(pictures))?.map(({ logits }) => logits)).toEqual(alone);
      }
      // A file that takes three pictures, no more and no less.
      await using three = await openModel({ file: place('three.onnx'), contract });
      expect(await three.logits(pictures.slice(0, 7))).toEqual(alone.slice(0, 7));
    });
  });

  it('normalises after all else: colours as they are seen, in the order that the file wants', async () => {
    await withFiles({ 'mean.onnx': meanColours('NCHW'), 'last.onnx': meanColours('NHWC') }, async (place) => {
      const [red, green, blue] = [0.2, 0.5, 0.9];
      const plain: Picture = {
        width: SIDE,
        height: SIDE,
        data: Float32Array.from({ length: 3 * SIDE * SIDE }, (_, i) =>
          i < SIDE * SIDE ? red : i < 2 * SIDE * SIDE ? green : blue,
        ),
      };
      const colours = {
        input: {
          ...contract.input,
          mean: [0.1, 0.2, 0.3],
          std: [0.5, 1, 2],
        },
        outputs: contract.outputs,
        classes: ['first', 'second', 'third'],
      };
      const wanted = [(red - 0.1) / 0.5, green - 0.2, (blue - 0.3) / 2];
      for (const [file, layout, channels, order] of [
        ['mean.onnx', 'NCHW', 'RGB', [0, 1, 2]],
        ['mean.onnx', 'NCHW', 'BGR', [2, 1, 0]],
        ['last.onnx', 'NHWC', 'RGB', [0, 1, 2]],
      ] as const) {
        const input = { ...colours.input, layout, channels };
        await using model = await openModel({ file: place(file), contract: { ...colours, input } });
        const [said] = await model.logits([plain]);
        order.forEach((channel, i) => {
          expect(said?.[i]).toBeCloseTo(wanted[channel] as number, 5);
        });
      }
    });
  });

  it('takes probabilities by their logarithm: margins are those of the logits', async () => {
    await withFiles(files, async (place) => {
      await using plain = await openModel({ file: place('model.onnx'), contract });
      await using probs = await openModel({ file: place('probs.onnx'), contract });
      expect([plain.kind, probs.kind]).toEqual(['logits', 'probs']);
      const [wanted, found] = [await plain.logits(pictures), await probs.logits(pictures)];
      wanted.forEach((row, i) => {
        const other = found[i] as Float32Array;
        for (let j = 1; j < row.length; j++)
          expect((other[j] as number) - (other[0] as number)).toBeCloseTo(
            (row[j] as number) - (row[0] as number),
            4,
          );
      });
    });
  });

  it('answers the same from a process of its own, also to several questions at once', async () => {
    await withFiles(files, async (place) => {
      const source = { file: place('model.onnx'), gradientFile: place('model.grad.onnx'), contract };
      await using here = await openModel(source);
      await using there = await startModel(source);
      expect(there.head).toEqual(here.head);
      const seed = Float32Array.of(0, 1, 0, -1, 0);
      const [first] = pictures as [Picture];
      const [logits, seen, tail, gradients] = await Promise.all([
        there.logits(pictures),
        there.features?.([first]),
        there.tail?.([(await here.features?.([first]))?.[0]?.features as never]),
        there.gradient?.(first, seed, 0.5),
      ]);
      expect(logits).toEqual(await here.logits(pictures));
      expect(seen).toEqual(await here.features?.([first]));
      expect(tail).toEqual([logits[0]]);
      expect(gradients).toEqual(await here.gradient?.(first, seed, 0.5));
    });
  });

  it('ends with a sentence when the model does not: too slow, too large, stopped, broken', async () => {
    // Some thousand times a product of large matrices.
    const slow = tinyOnnx(slowGraph());
    await withFiles({ ...files, 'slow.onnx': slow, 'broken.onnx': onnx.subarray(0, 500) }, async (place) => {
      const of = (file: string) => ({ file: place(file), contract });
      await expect(startModel(of('slow.onnx'), { timeoutMs: 4000 })).rejects.toThrow(
        /did not reply within 4 s/,
      );
      await expect(startModel(of('model.onnx'), { memoryMb: 1 })).rejects.toThrow(/out of memory/);
      await expect(startModel(of('broken.onnx'))).rejects.toThrow(/not a valid ONNX model/);
      const stop = new AbortController();
      const model = await startModel(of('model.onnx'), {}, stop.signal);
      stop.abort(new Error('nobody waits any more'));
      await expect(model.logits(pictures)).rejects.toThrow('nobody waits any more');
    });
  });

  it.each([
    ['numbers that are none', notFinite(), contract, /NaN or infinite/],
    ['an unknown operator', withOperator('Frobnicate'), contract, /cannot be opened/],
    ['probabilities that are none', onnx, { ...contract, outputKind: 'probs' }, /do not sum to 1/],
    ['a map that is none', onnx, { ...contract, classes: contract.classes.slice(1) }, /4 classes/],
  ])('refuses %s when it is opened', async (_, bytes, said, message) => {
    await withFiles({ 'model.onnx': bytes }, async (place) => {
      await expect(openModel({ file: place('model.onnx'), contract: said })).rejects.toThrow(message);
    });
  });

  it('refuses two gigabytes before it reads them', async () => {
    await withFiles({ 'model.onnx': new Uint8Array() }, async (place) => {
      await truncate(place('model.onnx'), 2 ** 31);
      await expect(openModel({ file: place('model.onnx'), contract })).rejects.toThrow(
        /2048 MB.*at most 512 MB/,
      );
    });
  });

  it('refuses pictures of another size', async () => {
    await withFiles(files, async (place) => {
      await using model = await openModel({ file: place('model.onnx'), contract });
      await expect(model.logits([blobs(8, 0)])).rejects.toThrow(/8 × 8.*16 × 16/);
      expect(model.head?.channels).toBe(FEATURES);
    });
  });
});

/** Gives the mean of each colour. */
function meanColours(layout: 'NCHW' | 'NHWC'): Buffer {
  const sides = layout === 'NCHW' ? ['n', 3, SIDE, SIDE] : ['n', SIDE, SIDE, 3];
  const axes = layout === 'NCHW' ? [2, 3] : [1, 2];
  return tinyOnnx({
    inputs: { image: sides },
    outputs: { logits: ['n', 3] },
    nodes: [
      { op: 'ReduceMean', inputs: ['image'], outputs: ['logits'], ints: { axes }, int: { keepdims: 0 } },
    ],
  });
}

function slowGraph(): TinyGraph {
  const side = 1024;
  const nodes: TinyGraph['nodes'] = [
    { op: 'ReduceMean', inputs: ['image'], outputs: ['mean'], int: { keepdims: 0 }, ints: { axes: [2, 3] } },
    { op: 'MatMul', inputs: ['mean', 'wide'], outputs: ['m0'] },
    // Rows become a square, so that every further product is a large one.
    { op: 'MatMul', inputs: ['tall', 'ones'], outputs: ['s0'] },
  ];
  const wide = new Float32Array(3 * side).fill(1e-3);
  return {
    inputs: { image: ['n', 3, SIDE, SIDE] },
    outputs: { logits: ['n', 5] },
    weights: {
      wide: { dims: [3, side], values: wide },
      tall: { dims: [side, 1], values: new Float32Array(side).fill(1e-3) },
      ones: { dims: [1, side], values: new Float32Array(side).fill(1) },
      last: { dims: [side, 5], values: new Float32Array(side * 5).fill(1e-3) },
    },
    nodes: [
      ...nodes,
      ...Array.from({ length: 1500 }, (_, i) => ({
        op: 'MatMul',
        inputs: [`s${i}`, 's0'],
        outputs: [`s${i + 1}`],
      })),
      { op: 'MatMul', inputs: ['m0', 's1500'], outputs: ['m1'] },
      { op: 'MatMul', inputs: ['m1', 'last'], outputs: ['logits'] },
    ],
  };
}

function notFinite(): Buffer {
  return tinyOnnx({
    inputs: { image: ['n', 3, SIDE, SIDE] },
    outputs: { logits: ['n', 5] },
    weights: { w: { dims: [3, 5], values: new Array(15).fill(-1) } },
    nodes: [
      { op: 'ReduceMean', inputs: ['image'], outputs: ['m'], int: { keepdims: 0 }, ints: { axes: [2, 3] } },
      { op: 'MatMul', inputs: ['m', 'w'], outputs: ['z'] },
      { op: 'Abs', inputs: ['z'], outputs: ['a'] },
      { op: 'Neg', inputs: ['a'], outputs: ['b'] },
      { op: 'Sqrt', inputs: ['b'], outputs: ['logits'] },
    ],
  });
}

function withOperator(op: string): Buffer {
  return tinyOnnx({
    inputs: { image: ['n', 3, SIDE, SIDE] },
    outputs: { logits: ['n', 5] },
    nodes: [{ op, inputs: ['image'], outputs: ['logits'] }],
  });
}

const samples = Array.from({ length: 6 }, (_, i) =>
  sampleOf(`sample-${i}`, blobs(SIDE, i), ellipse(SIDE, SIDE, 0.2 + i / 30), {
    classIndex: i % 3,
    attributes: i % 2 ? [...ATTRIBUTES] : ['furry'],
    attributeRegions: { ears: ellipse(SIDE, SIDE, 0.1) },
  }),
);
const setting: Setting = {
  preset: 'quick',
  seed: 5,
  classes: contract.classes,
  attributes: ATTRIBUTES,
  marked: ATTRIBUTES,
  side: SIDE,
  offers: { gradient: true, oracle: false, features: true },
};
/** Everything but the attacks that take hundreds of questions: two images of these are enough. */
const { variants } = planSuites('all', setting);

/** Another image, chosen by the stream alone. */
const donor: VariantContext['donor'] = async (sample, rng) => {
  const others = samples.filter(({ id }) => id !== sample.id);
  return others[rng.below(others.length)] ?? null;
};

describe('an evaluation', () => {
  it('finds the same with one process in order and with three in any order', async () => {
    await withFiles({ 'model.onnx': onnx, 'model.grad.onnx': gradient }, async (place) => {
      const source = { file: place('model.onnx'), gradientFile: place('model.grad.onnx'), contract };
      const pool = new SamplePool([], { stored: async () => Buffer.alloc(0) } as never, {} as never);
      const { signal } = new AbortController();
      const rowsWith = async (processes: number, atOnce: boolean) => {
        await using model = await startModel(source, { processes });
        const around = () => ({ ...createVariantContext(model, pool, null), donor, queries: 0 });
        const found = new Map<string, CellEntry[]>();
        const tasks = variants.flatMap((variant) =>
          (variant.runs > 50 ? samples.slice(0, 2) : samples).map((sample: Sample) => async () => {
            found.set(
              `${variant.id} ${sample.id}`,
              await querySample({ seed: 5, createContext: around, signal }, variant, sample),
            );
          }),
        );
        if (atOnce) await Promise.all(tasks.reverse().map((task) => task()));
        else for (const task of tasks) await task();
        return found;
      };
      const inOrder = await rowsWith(1, false);
      expect(inOrder.size).toBeGreaterThan(100);
      const together = await rowsWith(3, true);
      for (const [name, cells] of inOrder) expect(together.get(name), name).toEqual(cells);
    });
  });
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'shared-pictures-'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened = (most?: number) => SharedPictureWriter.open(folder, most) as SharedPictureWriter;
const some = (count: number, side: number, from: number): Picture[] =>
  Array.from({ length: count }, (_, i) => blobs(side, from + i));
const bytesOf = (pictures: readonly Picture[]) =>
  pictures.reduce((sum, { data }) => sum + data.byteLength, 0);

describe('memory that two processes see', () => {
  it('gives back what was laid there, whatever else comes and goes', async () => {
    const most = 20_000;
    using shared = opened(most);
    expect(readdirSync(folder), 'it has no name').toEqual([]);
    const reader = new SharedPictureReader(shared.reader);
    const rng = createRng('shared pictures');
    const lying: { laid: PictureLocation; pictures: Picture[] }[] = [];
    let refused = 0;
    for (let step = 0; step < 300; step++) {
      const pictures = some(1 + rng.below(5), 4 + 4 * rng.below(3), step);
      const laid = shared.write(pictures);
      if (laid) lying.push({ laid, pictures });
      else {
        refused += 1;
        const taken = lying.reduce((sum, each) => sum + bytesOf(each.pictures), 0);
        expect(taken + bytesOf(pictures), 'only for want of room').toBeGreaterThan(most / 4);
      }
      while (lying.length > 0 && (!laid || rng.unit() < 0.4)) {
        const [{ laid: place, pictures: wanted }] = lying.splice(rng.below(lying.length), 1) as [
          (typeof lying)[number],
        ];
        const row = reader.read(place);
        expect(splitBatch(row)).toEqual(wanted);
        reader.clear(row.memory);
        shared.clear(place);
        if (!laid) break;
      }
    }
    expect(refused).toBeGreaterThan(5);
    for (const { laid, pictures } of lying) expect(splitBatch(reader.read(laid))).toEqual(pictures);
  });

  it('takes pictures of one size only, as much as there is room, and nothing once it is closed', () => {
    const shared = opened(bytesOf(some(4, 8, 0)));
    const other = blobs(4, 0);
    expect(shared.write([...some(1, 8, 0), other])).toBeNull();
    expect(shared.write([{ ...other, width: 8, height: 8 }])).toBeNull();
    expect(shared.write(some(5, 8, 0))).toBeNull();
    const all = shared.write(some(4, 8, 0)) as PictureLocation;
    expect(all).toEqual({ from: 0, count: 4, width: 8, height: 8 });
    expect(shared.write([other])).toBeNull();
    shared.clear(all);
    expect(shared.write([other])).not.toBeNull();
    expect(() => writeSync(shared.reader, 'x')).toThrow(/EBADF/);
    shared[Symbol.dispose]();
    shared[Symbol.dispose]();
    expect(shared.write([other])).toBeNull();
    expect(SharedPictureWriter.open(path.join(folder, 'nowhere'))).toBeNull();
  });

  it('changes no answer: one picture or many at once, of the model’s size or not', async () => {
    const { onnx, contract } = tinyClassifier();
    await withFiles({ 'model.onnx': onnx }, async (place) => {
      const source = { file: place('model.onnx'), contract };
      await using here = await openModel(source);
      await using there = await startModel(source);
      const questions = Array.from({ length: 30 }, (_, i) => some(1 + (i % 7) ** 2, SIDE, i));
      const said = await Promise.all(questions.map((pictures) => there.logits(pictures)));
      for (const [i, pictures] of questions.entries()) expect(said[i]).toEqual(await here.logits(pictures));
      expect(await there.logits([])).toEqual([]);
      const [seen, refusal, mixed] = await Promise.allSettled([
        there.features?.(some(40, SIDE, 0)),
        there.logits(some(2, 8, 0)),
        there.logits([...some(1, SIDE, 0), ...some(1, 8, 0)]),
      ]);
      expect(seen).toMatchObject({ value: await here.features?.(some(40, SIDE, 0)) });
      for (const each of [refusal, mixed])
        expect(String(each && 'reason' in each && each.reason)).toMatch(/8 × 8/);
      expect(await there.logits(some(3, SIDE, 0))).toEqual(await here.logits(some(3, SIDE, 0)));
    });
  });
});
