import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';
import {
  archs,
  type JobSpec,
  jobSpec,
  type Method,
  trainingPreset,
  trainingPresets,
} from '@/lib/core/training-spec';
import { schemaFile, schemaFileText } from '@/lib/core/training-spec/job-spec';
import { runPython } from './python';

const snapshot = `sha256:${'a'.repeat(64)}`;
const methods: Method[] = ['normal', 'pgd', 'trades'];
const made = trainingPresets.flatMap(({ id, archs, make }) =>
  archs.flatMap((arch) =>
    methods.map((method) => ({
      name: `${id} ${arch} ${method}`,
      spec: make({ arch, method, id: 'run-1', snapshot, seed: 0 }),
    })),
  ),
);

// biome-ignore lint/suspicious/noExplicitAny: a spoilt spec has no type
type Spoilt = any;

/** What a person or a program gets wrong, one thing at a time. */
const spoils: Record<string, (spec: Spoilt) => void> = {
  'a field nobody knows': (spec) => Object.assign(spec.train, { learningRate: 1 }),
  'a field is missing': (spec) => Reflect.deleteProperty(spec.data, 'size'),
  'another schema': (spec) => Object.assign(spec, { schema: 'tessera-train/2' }),
  'an id with a slash': (spec) => Object.assign(spec, { id: '../run' }),
  'an id that ends in a newline': (spec) => Object.assign(spec, { id: 'run\n' }),
  'a size the segmenter cannot halve': (spec) => Object.assign(spec.data, { size: 100 }),
  'a size as text': (spec) => Object.assign(spec.data, { size: '64' }),
  'half a batch': (spec) => Object.assign(spec.train, { batchSize: 7.5 }),
  'true for a number': (spec) => Object.assign(spec.train, { batchSize: true }),
  'a hash without its name': (spec) => Object.assign(spec.data, { snapshot: 'a'.repeat(64) }),
  'no stage': (spec) => Object.assign(spec, { stages: [] }),
  'a clean stage with an attack': (spec) =>
    Object.assign(spec.stages[0], { attack: { eps: 0.1, steps: 1, step: 0.1 } }),
  'an adversarial stage without one': (spec) => Object.assign(spec.stages[0], { method: 'pgd' }),
  'an unknown method': (spec) => Object.assign(spec.stages[0], { method: 'free' }),
  'a learning rate of zero': (spec) => Object.assign(spec.stages[0], { lr: 0 }),
  'momentum of one': (spec) => Object.assign(spec.train, { momentum: 1 }),
  'two rates instead of three': (spec) => Object.assign(spec.model.segmenter, { rates: [6, 12] }),
  'four rates': (spec) => Object.assign(spec.model.segmenter, { rates: [6, 12, 18, 24] }),
  'weights without a hash': (spec) => Object.assign(spec.model, { init: { kind: 'file', path: 'w.pt' } }),
  'null where nothing may be missing': (spec) => Object.assign(spec.validate, { every: null }),
  'a test nobody knows': (spec) => Object.assign(spec, { test: [{ attack: 'deepfool', sample: null }] }),
  'a test with a field of another': (spec) =>
    Object.assign(spec, { test: [{ attack: 'none', sample: null, eps: 0.1 }] }),
  'a list instead of the spec': (spec) => Object.assign(spec, { data: [] }),
  'centroids for the downsampled model': (spec) => Object.assign(spec.data, { labels: 'centroid' }),
  'a baseline that weighs masks': (spec) => Object.assign(spec.model, { arch: 'baseline' }),
  'a bounding box without background': (spec) =>
    Object.assign(spec.model, { arch: 'bounding-box', background: false }),
  'a pixel model that sees the picture': (spec) =>
    Object.assign(spec.model, { arch: 'pixel', withImage: true }),
  'selection by an attack that is not made': (spec) => Object.assign(spec.validate, { select: 'adv' }),
  'cuda without a GPU': (spec) => Object.assign(spec.resources, { device: 'cuda' }),
  'mixed precision on a processor': (spec) => Object.assign(spec.train, { precision: 'amp' }),
  'sorted masks for a model that reads none': (spec) => {
    spec.model.arch = 'two-headed-encoder';
    const ball = { eps: 0.03, steps: 2, step: 0.01, restarts: 1, sample: null };
    spec.test = [{ attack: 'two-stage', strategy: 'confident-sorted', ...ball }];
  },
};

/** Unusual, and right. */
const oddities: Record<string, (spec: Spoilt) => void> = {
  'a whole number with a point': (spec) => Object.assign(spec.data, { labelledFraction: 1.0 }),
  'no tests': (spec) => Object.assign(spec, { test: [] }),
  'a sweep': (spec) =>
    Object.assign(spec, { test: [{ attack: 'sweep', eps: [0, 0.1], steps: 10, restarts: 1, sample: 8 }] }),
  'weights by file and hash': (spec) =>
    Object.assign(spec.model, { init: { kind: 'file', path: 'w.pt', sha256: snapshot } }),
};

function changed(change: (spec: Spoilt) => void): unknown {
  const preset = trainingPreset('tiny-64');
  const spec = structuredClone(
    preset?.make({ arch: 'downsampled', method: 'normal', id: 'r', snapshot, seed: 0 }),
  );
  change(spec);
  return spec;
}

describe('the spec of a run', () => {
  const cases = [
    ...made.map(({ name, spec }) => ({ name, spec: spec as unknown, good: true })),
    ...Object.entries(oddities).map(([name, change]) => ({ name, spec: changed(change), good: true })),
    ...Object.entries(spoils).map(([name, change]) => ({ name, spec: changed(change), good: false })),
  ];
  let verdicts: string[][] = [];

  beforeAll(async () => {
    const specs = JSON.stringify(cases.map(({ spec }) => spec));
    const { out, err } = await runPython(['-m', 'tessera_trainer.validate_spec'], specs);
    expect(err).toBe('');
    verdicts = JSON.parse(out);
  });

  it('has the schema file the trainer reads up to date (npm run docs)', () => {
    expect(readFileSync(path.join(projectFolder, schemaFile), 'utf8')).toBe(schemaFileText());
  });

  it('is valid for every preset, model and method', () => {
    expect(made).toHaveLength(3 * archs.length * 3 + 6 * 3);
    expect(made.filter(({ spec }) => !jobSpec.safeParse(spec).success).map(({ name }) => name)).toEqual([]);
  });

  it.each(cases.map(({ name, good }, index) => ({ name, good, index })))(
    'gets one verdict from the platform and from the trainer: $name',
    ({ index, good }) => {
      const parsed = jobSpec.safeParse(cases[index]?.spec);
      expect({ platform: parsed.success, trainer: verdicts[index]?.length === 0 }).toEqual({
        platform: good,
        trainer: good,
      });
    },
  );

  it('has the numbers of the paper in its presets', () => {
    const spec = trainingPreset('paper-downsampled')?.make({
      arch: 'downsampled',
      method: 'trades',
      id: 'r',
      snapshot,
      seed: 0,
    }) as JobSpec;
    expect(spec.train).toMatchObject({ batchSize: 128, weightDecay: 5e-4, cSeg: 0.5, momentum: 0.9 });
    expect(spec.stages.map(({ epochs, lr }) => [epochs, lr])).toEqual([
      [50, 0.1],
      [50, 0.1],
    ]);
    expect(spec.stages[1]).toMatchObject({
      method: 'trades',
      beta: 0.05,
      from: 'best',
      attack: { steps: 10 },
    });
    expect(spec.model.segmenter).toEqual({ channels: 256, rates: [12, 24, 36], dropout: 0.5 });
  });
});
