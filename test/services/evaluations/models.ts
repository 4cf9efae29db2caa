import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import type { ModelRunner, Sample, VariantContext } from '@/lib/core/robustness/types';
import { type TinyGraph, tinyOnnx } from '@/test/support/tiny-onnx';

/** Puts files of a model into a folder of their own, and takes them away again. */
export async function withFiles<T>(
  files: Record<string, Uint8Array>,
  work: (place: (name: string) => string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-evaluate-'));
  const place = (name: string) => path.join(folder, name);
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(place(name), bytes);
    return await work(place);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Soft blobs by chance: something a convolution can answer to. */
export function blobs(side: number, key: number | string, height = side): Picture {
  const rng = createRng(`tessera|test|blobs ${key}`);
  const waves = Array.from({ length: 9 }, () => [rng.unit(), rng.unit(), rng.unit()] as const);
  const data = new Float32Array(3 * side * height);
  for (let channel = 0; channel < 3; channel++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < side; x++) {
        let value = 0;
        for (const [a, b, c] of waves.slice(3 * channel, 3 * channel + 3))
          value += Math.sin(x * a + y * b + 6 * c) / 6;
        data[(channel * height + y) * side + x] = Math.min(1, Math.max(0, 0.5 + value));
      }
  return { width: side, height, data };
}

export const sampleOf = (picture: Picture, classIndex: number, given: Partial<Sample> = {}): Sample => ({
  id: `sample-${classIndex}`,
  name: 'sample.png',
  className: `class ${classIndex}`,
  classIndex,
  split: 'test',
  picture,
  object: null,
  parts: {},
  attributes: null,
  attributeRegions: {},
  confidence: 1,
  ...given,
});

/** What an attack may ask, of a model and of nothing else. */
export const aroundOf = (
  model: Pick<ModelRunner, 'logits' | 'gradient'>,
  given: Partial<VariantContext> = {},
): VariantContext => ({
  donor: async () => null,
  typicalClass: () => null,
  query: (pictures) => model.logits(pictures),
  gradient: model.gradient,
  compressJpeg: async (picture) => picture,
  oracle: null,
  ...given,
});

export const argmax = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((best, value, i, all) => (value > (all[best] as number) ? i : best), 0);

/** Two classes, the first ahead by w · x + b: what attacks can do to it is known exactly. */
export function linearModel(w: readonly number[], b: number): Pick<ModelRunner, 'logits' | 'gradient'> {
  const says = ({ data }: Picture) =>
    Float32Array.of(
      data.reduce((sum, value, i) => sum + value * (w[i] as number), b),
      0,
    );
  return {
    logits: async (pictures) => pictures.map(says),
    gradient: async (picture, seed, share = 0) => {
      const logits = says(picture);
      const first = 1 / (1 + Math.exp(-(logits[0] as number)));
      const v = (seed[0] as number) + share * first;
      return { logits, gradient: Float32Array.from(w, (weight) => v * weight), features: null };
    },
  };
}

const SIDE = 16;

/** Gives the mean colour of a picture: an embedding of three numbers. */
export const meanEncoder = (side = SIDE, change: Partial<TinyGraph> = {}): Buffer =>
  tinyOnnx({
    inputs: { image: ['n', 3, side, side] },
    outputs: { embedding: ['n', 3] },
    nodes: [
      {
        op: 'ReduceMean',
        inputs: ['image'],
        outputs: ['embedding'],
        ints: { axes: [2, 3] },
        int: { keepdims: 0 },
      },
    ],
    ...change,
  });

/** Halves both sides by means of four pixels: the place of a picture is its thumbnail. */
export const smallEncoder = (side = SIDE): Buffer =>
  tinyOnnx({
    inputs: { image: ['n', 3, side, side] },
    outputs: { latent: ['n', 3, side / 2, side / 2] },
    nodes: [
      {
        op: 'AveragePool',
        inputs: ['image'],
        outputs: ['latent'],
        ints: { kernel_shape: [2, 2], strides: [2, 2] },
      },
    ],
  });

/** Every pixel of a thumbnail four times. */
export const largeDecoder = (side = SIDE): Buffer =>
  tinyOnnx({
    inputs: { latent: ['n', 3, side / 2, side / 2] },
    outputs: { picture: ['n', 3, side, side] },
    weights: { twice: { dims: [4], values: [1, 1, 2, 2] } },
    nodes: [{ op: 'Resize', inputs: ['latent', '', 'twice'], outputs: ['picture'] }],
  });
