import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { fromBitmap, type Mask } from '@/lib/core/mask';
import { mixBackground } from '@/lib/core/robustness/variants/backgrounds';
import { grayRegion } from '@/lib/core/robustness/variants/basic';
import type { VersionImage } from '@/lib/services/datasets/manifest';
import { modelKey } from '@/lib/services/evaluations/open-model-runner';
import { SamplePool } from '@/lib/services/evaluations/sample-pool';
import { hashSources, poolKey, resolveSplit } from '@/lib/services/evaluations/select-images';
import { usesLabels, variantKey } from '@/lib/services/evaluations/stored-rows';
import { writeInput } from '@/lib/services/inference/predict/seen-picture';

const [WIDTH, HEIGHT] = [96, 64];
const box = (left: number, top: number, width: number, height: number): Mask =>
  fromBitmap(
    Uint8Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
      const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
      return x >= left && x < left + width && y >= top && y < top + height ? 1 : 0;
    }),
    HEIGHT,
    WIDTH,
  );

const imageOf = (source: string, mask: Mask, rest: Partial<VersionImage> = {}): VersionImage => ({
  source,
  name: `${source}.png`,
  className: 'cat',
  wnid: null,
  groupKey: null,
  columns: {},
  split: 'test',
  width: WIDTH,
  height: HEIGHT,
  picture: { sha256: source, mediaType: 'image/png' },
  attributes: null,
  attributeMasks: [],
  objects: [
    {
      className: 'cat',
      instance: 0,
      outline: { mask, source: 'answer', confidence: 1 },
      parts: [],
      absent: [],
    },
  ],
  hasMasks: true,
  ...rest,
});

/** A white box on black, drawn exactly. */
const whiteBox = (left: number, top: number, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000' } })
    .composite([{ input: { create: { width, height, channels: 3, background: '#fff' } }, left, top }])
    .png()
    .toBuffer();

const entryOf = (image: VersionImage, classIndex = 0) => ({ image, classIndex });

describe('what a model is shown in an evaluation', () => {
  for (const view of ['whole', 'center'] as const)
    it(`is what it is shown when it serves, and masks lie on the picture (view ${view})`, async () => {
      const bytes = await whiteBox(30, 20, 24, 24);
      const colours = { mean: [0, 0, 0], std: [1, 1, 1], channels: 'RGB' as const };
      const input = { name: 'image', side: 28, view, layout: 'NCHW' as const, ...colours };
      const entry = entryOf(imageOf('a', box(30, 20, 24, 24)));
      const pictures = { readStored: async () => bytes, encode: async () => bytes };
      const sample = await new SamplePool([entry], pictures, input).sample(entry);
      const served = new Float32Array(3 * 28 * 28);
      await writeInput(bytes, input, served);
      expect(sample.picture.data).toEqual(served);
      const bright = sample.picture.data.subarray(0, 28 * 28).map((value) => (value > 0.5 ? 1 : 0));
      const object = sample.object ?? new Uint8Array();
      const both = bright.filter((value, i) => value === 1 && object[i] === 1).length;
      const either = bright.filter((value, i) => value === 1 || object[i] === 1).length;
      expect(both / either).toBeGreaterThan(0.85);
    });

  it('is decoded once for a pass over many images, and no more is kept than may be', async () => {
    const bytes = await whiteBox(30, 20, 24, 24);
    const input = { side: 16, view: 'whole' as const };
    const entries = Array.from({ length: 6 }, (_, i) => entryOf(imageOf(`image ${i}`, box(30, 20, 24, 24))));
    let decoded = 0;
    const pictures = {
      readStored: async () => {
        decoded += 1;
        return bytes;
      },
      encode: async () => bytes,
    };
    const one = 3 * 16 * 16 * 4 + 16 * 16;
    const pool = new SamplePool(entries, pictures, input, 3 * one);
    const ask = async (...places: number[]) => {
      for (const at of places) await pool.sample(entries[at] as (typeof entries)[number]);
    };
    await ask(0, 1, 2, 0, 1, 2);
    expect(decoded).toBe(3);
    // The first was used last: the second goes.
    await ask(0, 3, 0);
    expect(decoded).toBe(4);
    await ask(1);
    expect(decoded).toBe(5);
  });
});

describe('the name of rows', () => {
  const [a, b] = [imageOf('a', box(10, 10, 20, 20)), imageOf('b', box(30, 20, 24, 24))];
  const nameOf = (variant: Parameters<typeof variantKey>[0], pool: string, oracle = '') =>
    variantKey(variant, { seed: 0, pool, oracle });

  it('changes with anything that a donor may lend, and for variants with donors only', () => {
    const before = poolKey([entryOf(a), entryOf(b)]);
    const changes: Partial<VersionImage>[] = [
      { objects: imageOf('b', box(30, 20, 24, 25)).objects },
      { split: 'val' },
      { attributes: { present: ['furry'], source: 'answer', confidence: 1 } },
      { attributeMasks: [{ id: 'ears', mask: box(1, 1, 5, 5), source: 'answer', confidence: 1 }] },
    ];
    const after = changes.map((change) => poolKey([entryOf(a), entryOf({ ...b, ...change })]));
    after.push(poolKey([entryOf(a), entryOf(b, 1)]), poolKey([entryOf(a)]));
    expect(new Set([before, ...after]).size).toBe(after.length + 1);
    expect(poolKey([entryOf({ ...a, name: 'renamed.png' }), entryOf(b)])).toBe(before);
    for (const pool of after) {
      expect(nameOf(mixBackground('other'), pool)).not.toBe(nameOf(mixBackground('other'), before));
      expect(nameOf(grayRegion('object'), pool)).toBe(nameOf(grayRegion('object'), before));
    }
    expect(usesLabels(mixBackground('other'))).toBe(true);
  });

  it('holds the seed, the settings and the version of a variant', () => {
    const gray = grayRegion('object');
    const names = [
      variantKey(gray, { seed: 0, pool: '', oracle: '' }),
      variantKey(gray, { seed: 1, pool: '', oracle: '' }),
      nameOf({ ...gray, version: gray.version + 1 }, ''),
      nameOf({ ...gray, parameters: { ...gray.parameters, tiny: 0.9 } }, ''),
      nameOf({ ...gray, cells: [...gray.cells, { level: 1, trial: 1 }] }, ''),
      nameOf({ ...gray, needs: ['oracle'] }, '', 'judge'),
      nameOf({ ...gray, needs: ['oracle'] }, '', 'another judge'),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(nameOf(gray, '', 'judge')).toBe(names[0]);
  });

  it('is another one for another contract or another gradient of the same file', () => {
    const contract = { input: { view: 'whole' }, featureTensor: 'a' };
    const names = [
      modelKey({ blob: 'f', contract }, null),
      modelKey({ blob: 'f', contract }, 'gradient'),
      modelKey({ blob: 'f', contract: { ...contract, featureTensor: 'b' } }, null),
      modelKey({ blob: 'g', contract }, null),
    ];
    expect(new Set(names).size).toBe(4);
  });

  it('of a leaderboard tells which images they were', () => {
    expect(hashSources([entryOf(a), entryOf(b)])).not.toBe(hashSources([entryOf(a)]));
    expect(hashSources([entryOf(a), entryOf(b, 1)])).toBe(hashSources([entryOf(a), entryOf(b)]));
  });
});

describe('the split that is asked for', () => {
  it('is that one, or all of them in so many words, and never a guess', () => {
    expect(resolveSplit('test', ['train', 'test'])).toBe('test');
    expect(resolveSplit('all', ['train', 'test'])).toBeNull();
    expect(resolveSplit('all', ['all', 'test'])).toBe('all');
    expect(() => resolveSplit('tset', ['train', 'test'])).toThrow(
      'The version has no split "tset". It has test, train. Use "all" for all images.',
    );
  });
});
