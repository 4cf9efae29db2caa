import { describe, expect, it } from 'vitest';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import type { Sample, Surroundings } from '@/lib/core/robustness/types';
import { askSample, type CellEntry } from '@/lib/services/evaluations/compute-rows';
import { startModel } from '@/lib/services/evaluations/runner/processes';
import { SamplePool } from '@/lib/services/evaluations/sample-pool';
import { surroundings } from '@/lib/services/evaluations/variant-context';
import { SIDE, tinyClassifier } from '../../support/tiny-classifier';
import { ATTRIBUTES, ellipse, sampleOf } from './samples';
import { blobs, withFiles } from './support/models';

const { onnx, gradient, contract } = tinyClassifier();
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
const donor: Surroundings['donor'] = async (sample, chance) => {
  const others = samples.filter(({ id }) => id !== sample.id);
  return others[chance.below(others.length)] ?? null;
};

describe('an evaluation', () => {
  it('finds the same with one process in order and with three in any order', async () => {
    await withFiles({ 'model.onnx': onnx, 'model.grad.onnx': gradient }, async (place) => {
      const source = { file: place('model.onnx'), gradientFile: place('model.grad.onnx'), contract };
      const pool = new SamplePool([], { stored: async () => Buffer.alloc(0) } as never, {} as never);
      const { signal } = new AbortController();
      const rowsWith = async (processes: number, atOnce: boolean) => {
        await using model = await startModel(source, { processes });
        const around = () => ({ ...surroundings(model, pool, null), donor, queries: 0 });
        const found = new Map<string, CellEntry[]>();
        const tasks = variants.flatMap((variant) =>
          (variant.runs > 50 ? samples.slice(0, 2) : samples).map((sample: Sample) => async () => {
            found.set(
              `${variant.id} ${sample.id}`,
              await askSample({ seed: 5, around, signal }, variant, sample),
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
