import { describe, expect, it } from 'vitest';
import { openModel } from '@/lib/evaluate/session';
import type { ModelRunner } from '@/lib/evaluation/model-runner';
import type { Picture } from '@/lib/evaluation/picture';
import type { FeatureMap } from '@/lib/evaluation/saliency/class-map';
import { gradientWeights, headWeights, tailWeights } from '@/lib/evaluation/saliency/grad-cam';
import { bestLooking, look, readAlignment } from '@/lib/evaluation/saliency/look';
import { occlusionMap, tiles } from '@/lib/evaluation/saliency/occlusion';
import { SIDE, tinyClassifier } from '../support/tiny-classifier';
import { argmax, blobs, sampleOf, withFiles } from './support/models';

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
          maps.push(await look(model, picture, { by: looking }));
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
      const drawn = await readAlignment(model, sampleOf(blobs(SIDE, 5), 0, { object }));
      expect(drawn.by).toBe('head');
      expect(drawn.precision).toBeGreaterThan(0);
      const bare = await readAlignment(model, sampleOf(blobs(SIDE, 5), 0));
      expect([bare.iou, bare.precision, bare.isEmpty]).toEqual([null, null, 0]);
      expect(bestLooking({ ...model, head: null })).toBe('gradient');
      expect(bestLooking({ ...model, head: null, gradient: null })).toBe('tail');
      // A gradient by the picture alone says nothing about the map.
      expect(bestLooking({ ...model, head: null, hasMapGradient: false })).toBe('tail');
      expect(bestLooking({ ...model, features: null })).toBe('occlusion');
    });
  });
});
