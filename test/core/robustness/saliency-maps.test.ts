import { describe, expect, it } from 'vitest';
import type { Picture } from '@/lib/core/robustness/picture';
import {
  chooseSaliencyMethod,
  computeSaliency,
  measureAlignment,
  type SaliencyMethod,
} from '@/lib/core/robustness/saliency/compute-saliency';
import {
  type FeatureMap,
  gradientWeights,
  headWeights,
  occlusionMap,
  sensitivityMap,
  tailWeights,
  tiles,
} from '@/lib/core/robustness/saliency/maps';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import type { ModelRunner } from '@/lib/core/robustness/types';
import { openModel } from '@/lib/services/inference/runner/open-model';
import { argmax, blobs, sampleOf, withFiles } from '@/test/services/evaluations/models';
import { SIDE, tinyClassifier } from '@/test/support/tiny-classifier';

const { onnx, gradient, contract } = tinyClassifier();
const files = { 'model.onnx': onnx, 'model.grad.onnx': gradient };
const AREA = SIDE * SIDE;

const opened = <T>(work: (model: ModelRunner) => Promise<T>) =>
  withFiles(files, async (place) => {
    const source = { file: place('model.onnx'), gradientFile: place('model.grad.onnx'), contract };
    await using model = await openModel(source);
    return await work(model);
  });

/** What must be there in this file. */
function all(model: ModelRunner) {
  const { features, tail, head, gradient: by } = model;
  if (!features || !tail || !head || !by) throw new Error('The model lacks something.');
  return { features, tail, head, gradient: by };
}

describe('where a model looks', () => {
  it('is the same by its last layer, by its gradient graph and by its cut tail', async () => {
    await opened(async (model) => {
      const { features, tail, head, gradient: by } = all(model);
      for (const key of [1, 2, 3]) {
        const picture = blobs(SIDE, key);
        const [seen] = (await features([picture])) as [{ logits: Float32Array; features: FeatureMap }];
        expect(await tail([seen.features])).toEqual([seen.logits]);
        for (let target = 0; target < model.classes.length; target++) {
          const seed = new Float32Array(model.classes.length);
          seed[target] = 1;
          const exact = headWeights(head, target).map((weight) => weight / AREA);
          const graph = gradientWeights((await by(picture, seed)).features as FeatureMap);
          const cut = await tailWeights(seen.features, target, tail);
          exact.forEach((weight, channel) => {
            expect(graph[channel]).toBeCloseTo(weight, 8);
            expect(Math.abs((cut[channel] as number) - weight)).toBeLessThan(
              0.005 * Math.max(...exact.map(Math.abs)),
            );
          });
        }
        const maps = [];
        for (const looking of ['head', 'gradient', 'tail'] as const)
          maps.push(await computeSaliency(model, picture, { by: looking }));
        const [first] = maps as [(typeof maps)[0]];
        expect(first.target).toBe(argmax(seen.logits));
        for (const { map } of maps)
          map.forEach((value, i) => {
            expect(Math.abs(value - (first.map[i] as number))).toBeLessThan(0.01);
          });
      }
    });
  });

  it('follows a gradient that finite differences confirm, in units of the picture', async () => {
    await opened(async (model) => {
      const { gradient: by } = all(model);
      const picture = blobs(SIDE, 4);
      const [logits] = (await model.logits([picture])) as [Float32Array];
      const truth = argmax(logits);
      const seed = Float32Array.from(logits, (_, i) => (i === truth ? -1 : 0));
      const { gradient: found } = await by(picture, seed, 1);
      const loss = (row: Float32Array) =>
        Math.log(row.reduce((sum, value) => sum + Math.exp(value), 0)) - (row[truth] as number);
      // Along whole directions: single pixels drown in float32.
      for (let direction = 0; direction < 4; direction++) {
        const towards = blobs(SIDE, `direction ${direction}`).data.map((value) => value - 0.5);
        const step = 2e-3;
        const moved = (by: number): Picture => ({
          ...picture,
          data: picture.data.map((value, i) => value + by * (towards[i] as number)),
        });
        const [above, below] = (await model.logits([moved(step), moved(-step)])) as [
          Float32Array,
          Float32Array,
        ];
        const measured = (loss(above) - loss(below)) / (2 * step);
        const told = found.reduce((sum, value, i) => sum + value * (towards[i] as number), 0);
        expect(Math.abs(measured - told)).toBeLessThan(0.01 * Math.abs(told) + 2e-3);
      }
    });
  });

  it('can be seen of any model by hiding regions', async () => {
    // Sees nothing but the brightness of the left upper quarter.
    const half = SIDE / 2;
    const quarter = (i: number) => i % SIDE < half && Math.floor(i / SIDE) < half;
    const query = async (pictures: readonly Picture[]) =>
      pictures.map(({ data }) => {
        const sum = data.reduce((total, value, i) => total + (quarter(i % AREA) ? value : 0), 0);
        return Float32Array.of(sum, 0);
      });
    const white: Picture = { width: SIDE, height: SIDE, data: new Float32Array(3 * AREA).fill(1) };
    const regions = tiles(SIDE, SIDE, half);
    const { map, drops } = await occlusionMap(white, regions, 0, query);
    expect(drops).toEqual([1.5 * half * half, 0, 0, 0]);
    map.forEach((value, i) => {
      expect(value).toBe(quarter(i) ? 1 : 0);
    });
    // What hiding does not hurt gives an empty map, not one of noise.
    const { map: other } = await occlusionMap(white, regions, 1, query);
    expect(other.every((value) => value === 0)).toBe(true);
    expect(tiles(5, 3, 2).reduce((sum, tile) => sum + tile.reduce((a, b) => a + b, 0), 0)).toBe(15);
  });

  it('is measured against what people drew, and not where nobody did', async () => {
    await opened(async (model) => {
      const object = Uint8Array.from({ length: AREA }, (_, i) => (i % SIDE < 8 ? 1 : 0));
      const drawn = await measureAlignment(model, sampleOf(blobs(SIDE, 5), 0, { object }));
      expect(drawn.by).toBe('head');
      expect(drawn.precision).toBeGreaterThan(0);
      const bare = await measureAlignment(model, sampleOf(blobs(SIDE, 5), 0));
      expect([bare.iou, bare.precision, bare.isEmpty]).toEqual([null, null, 0]);
      expect(chooseSaliencyMethod({ ...model, head: null })).toBe('gradient');
      expect(chooseSaliencyMethod({ ...model, head: null, gradient: null })).toBe('tail');
      // A gradient by the picture alone says nothing about the map.
      expect(chooseSaliencyMethod({ ...model, head: null, hasMapGradient: false })).toBe('tail');
    });
  });

  it('is read off a class map only where its cells can tell an object from what is beside it', async () => {
    const can = await opened(async (model) => model);
    const sized = (width: number, height: number) => ({ ...can, map: { channels: 6, width, height } });
    expect(chooseSaliencyMethod(sized(7, 9))).toBe('head');
    // A ResNet at 64 pixels.
    expect(chooseSaliencyMethod(sized(2, 2))).toBe('sensitivity');
    expect(chooseSaliencyMethod({ ...sized(9, 6), head: null })).toBe('sensitivity');
    expect(chooseSaliencyMethod({ ...sized(2, 2), gradient: null })).toBe('occlusion');
    expect(chooseSaliencyMethod({ ...can, features: null, map: null })).toBe('sensitivity');
    expect(chooseSaliencyMethod({ ...can, features: null, map: null, gradient: null })).toBe('occlusion');
    // The plan says what hiding tiles costs.
    const offers = { gradient: false, oracle: false, features: true };
    const setting: Setting = {
      ...{ preset: 'quick', seed: 0, classes: can.classes, attributes: [], marked: [], side: SIDE },
      offers,
    };
    const runsOf = (looking: SaliencyMethod) =>
      planSuites('saliency', { ...setting, offers: { ...offers, looking } }).runs(1);
    expect(runsOf('occlusion') - runsOf('head')).toBe(64);
  });

  it('is, tile by tile, the length of the gradient: how far the picture can move the class there', async () => {
    // Two tiles of two columns, and one pixel with another colour of the left one.
    const drawn = Float32Array.from({ length: 3 * 12 }, (_, i) =>
      i === 24 ? 4 : i < 12 && i % 4 > 1 ? 3 : 0,
    );
    expect(sensitivityMap(drawn, { width: 4, height: 3 }, 2)).toEqual({
      width: 2,
      height: 2,
      data: Float32Array.of(Math.sqrt(16 / 4), 3, 0, 3),
    });
    await opened(async (model) => {
      const { gradient: by } = all(model);
      const picture = blobs(SIDE, 6);
      const [logits] = (await model.logits([picture])) as [Float32Array];
      const target = argmax(logits);
      const { gradient: found } = await by(
        picture,
        logits.map((_, i) => (i === target ? 1 : 0)),
      );
      const tiled = sensitivityMap(found, picture, 4);
      const side = SIDE / 4;
      for (const [tile, length] of tiled.data.entries()) {
        const isIn = (i: number) =>
          Math.floor((i % SIDE) / side) === tile % 4 && Math.floor(i / SIDE / side) === Math.floor(tile / 4);
        const inside = found.map((value, i) => (isIn(i % AREA) ? value : 0));
        const norm = Math.hypot(...inside);
        expect(length).toBeCloseTo(norm / side, 6);
        const moved = (step: number): Picture => ({
          ...picture,
          data: picture.data.map((value, i) => value + (step * (inside[i] as number)) / norm),
        });
        const said = await model.logits([moved(5e-3), moved(-5e-3)]);
        const [above, below] = said.map((row) => row[target] as number) as [number, number];
        expect(Math.abs((above - below) / 1e-2 - norm)).toBeLessThan(0.02 * norm + 2e-3);
      }
      const looked = await computeSaliency(model, picture, { by: 'sensitivity' });
      expect([looked.target, looked.by, looked.isEmpty]).toEqual([target, 'sensitivity', false]);
      expect(Math.max(...looked.map)).toBeCloseTo(1, 5);
      // A model that sees the object only, and one that sees what is beside it only.
      const object = Uint8Array.from({ length: AREA }, (_, i) =>
        Math.max(Math.abs((i % SIDE) - 7.5), Math.abs(Math.floor(i / SIDE) - 7.5)) < 4 ? 1 : 0,
      );
      for (const [seesObject, sign] of [
        [1, 1],
        [0, -1],
      ]) {
        const blind: ModelRunner = {
          ...model,
          map: { channels: 6, width: 2, height: 2 },
          gradient: async () => ({
            logits,
            gradient: found.map((_, i) => (object[i % AREA] === seesObject ? 1 : 0)),
            features: null,
          }),
        };
        const { delta, by: way } = await measureAlignment(blind, sampleOf(picture, 0, { object }));
        expect(way).toBe('sensitivity');
        expect(Math.sign(delta as number)).toBe(sign);
        expect(Math.abs(delta as number)).toBeGreaterThan(0.5);
      }
    });
  });
});
