import { describe, expect, it } from 'vitest';
import { invertRegion, type Region } from '@/lib/core/robustness/picture';
import { inpaintings } from '@/lib/core/robustness/pixels/compositing';
import { createRng } from '@/lib/core/robustness/random';
import { type Setting, suites } from '@/lib/core/robustness/suites';
import { type Need, type Outcome, reasons, type Sample, type Variant } from '@/lib/core/robustness/types';
import { insertAttributes, removeAttributes } from '@/lib/core/robustness/variants/attributes';
import {
  backgroundEdit,
  mixBackground,
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '@/lib/core/robustness/variants/backgrounds';
import { grayAttributes, grayRegion, identity, restrictToRegion } from '@/lib/core/robustness/variants/basic';
import {
  corruptions,
  corruptionVariants,
} from '@/lib/core/robustness/variants/corruptions/corruption-variant';
import {
  directionEdit,
  flipEdit,
  pasteBack,
  positionEdit,
  positionGrid,
  sizeEdit,
} from '@/lib/core/robustness/variants/edits';
import { nodeMaps } from '@/lib/core/robustness/variants/nodes';
import { noisePair } from '@/lib/core/robustness/variants/noise';
import { edges, filledSilhouette, grayscale, silhouette } from '@/lib/core/robustness/variants/shape';
import {
  ATTRIBUTES,
  anyPicture,
  anyRegion,
  applied,
  ellipse,
  pictureOf,
  sampleOf,
  smoothPicture,
  surroundingsOf,
} from './samples';

/** A handful of images of three classes, with masks of every kind, at one size. */
function herd(width: number, height: number): Sample[] {
  const rng = createRng(`herd ${width} ${height}`);
  const area = width * height;
  const objects: (Region | null)[] = [
    ellipse(width, height),
    anyRegion(area, 0.2, rng),
    anyRegion(area, 0.9, rng),
    ellipse(width, height, 0.2),
    ellipse(width, height, 0.4),
    new Uint8Array(area),
    new Uint8Array(area).fill(1),
    null,
  ];
  return objects.map((object, i) =>
    sampleOf(
      `${width}x${height}-${i}`,
      i % 2 ? anyPicture(width, height, rng) : smoothPicture(width, height, i),
      object,
      {
        classIndex: i % 3,
        className: ['cat', 'dog', 'bird'][i % 3] as string,
        attributes: [0, 2, 6].includes(i) ? ['ears', 'tail', 'furry'] : ['furry'],
        attributeRegions: {
          ears: (object ?? new Uint8Array(area)).map((pixel, at) => (at % 3 ? 0 : pixel)),
          furry: object ?? new Uint8Array(area),
        },
      },
    ),
  );
}

const isSound = (outcome: Outcome, { picture }: Sample, name: string) => {
  if ('invalid' in outcome) {
    expect(reasons[outcome.invalid], name).toBeTruthy();
    return false;
  }
  expect([outcome.picture.width, outcome.picture.height], name).toEqual([picture.width, picture.height]);
  expect(outcome.picture.data.length, name).toBe(picture.data.length);
  expect(
    outcome.picture.data.every((value) => value >= 0 && value <= 1),
    name,
  ).toBe(true);
  for (const value of Object.values(outcome.extra ?? {}))
    if (typeof value === 'number') expect(Number.isFinite(value), name).toBe(true);
  return true;
};

describe('every variant', () => {
  it.each([
    [1, 1],
    [7, 5],
    [5, 7],
  ])(
    'gives values from 0 to 1 at the same size, or says why not, for %i × %i pixels',
    async (width, height) => {
      const samples = herd(width, height);
      const context = surroundingsOf(samples);
      for (const variant of everyVariant())
        for (const sample of samples)
          for (const cell of variant.cells)
            isSound(
              await applied(variant, sample, context, cell),
              sample,
              `${variant.id} ${cell.level} of ${sample.id}`,
            );
    },
  );

  it('gives values from 0 to 1 for 64 × 64 pixels, and a picture of an ordinary image', async () => {
    const samples = herd(64, 64);
    const [ordinary] = samples as [Sample];
    const context = surroundingsOf(samples);
    for (const variant of everyVariant()) {
      let pictures = 0;
      for (const cell of variant.cells)
        if (isSound(await applied(variant, ordinary, context, cell), ordinary, `${variant.id} ${cell.level}`))
          pictures += 1;
      expect(pictures, variant.id).toBeGreaterThan(0);
      for (const sample of samples.slice(1, 4))
        isSound(await applied(variant, sample, context), sample, variant.id);
    }
  });

  it('leaves the sample as it is, and gives the same picture again', async () => {
    const samples = herd(16, 16);
    const [sample] = samples as [Sample];
    const [before, object] = [sample.picture.data.slice(), sample.object?.slice()];
    const context = surroundingsOf(samples);
    for (const variant of everyVariant())
      expect(await applied(variant, sample, context), variant.id).toEqual(
        await applied(variant, sample, context),
      );
    expect(sample.picture.data).toEqual(before);
    expect(sample.object).toEqual(object);
  });

  it('gives the same whoever is asked about before or together with it', async () => {
    const samples = herd(16, 16);
    const context = surroundingsOf(samples);
    const some = samples.slice(0, 5);
    for (const variant of everyVariant()) {
      const together = await Promise.all(some.map((sample) => applied(variant, sample, context)));
      const backwards = [];
      for (const sample of some.toReversed()) backwards.unshift(await applied(variant, sample, context));
      expect(backwards, variant.id).toEqual(together);
    }
  });

  it('has its own name for each of its settings', () => {
    const names = everyVariant().map(nameOf);
    // The random angles of the list are a level, not a setting.
    expect(new Set(names).size).toBe(names.length - 1);
    for (const { cells, id } of everyVariant())
      expect(new Set(cells.map(({ level, trial }) => `${level} ${trial}`)).size, id).toBe(cells.length);
  });
});

describe('identity and noise', () => {
  const samples = herd(16, 16);
  const [sample] = samples as [Sample];
  const context = surroundingsOf(samples);

  it('identity changes nothing', async () => {
    for (const each of samples)
      expect((await pictureOf(identity(), each, context)).data).toEqual(each.picture.data);
  });

  it('a region of a picture that is not changed is the clean picture', async () => {
    for (const where of ['object', 'background'] as const)
      expect((await pictureOf(restrictToRegion(identity(), where), sample, context)).data).toEqual(
        sample.picture.data,
      );
  });

  it('noise of strength or length 0 is the clean picture', async () => {
    for (const norm of ['linf', 'l2'] as const)
      for (const variant of noisePair({ norm, levels: [0], trials: 1 }))
        expect((await pictureOf(variant, sample, context)).data).toEqual(sample.picture.data);
  });

  it('both regions of a trial see the same draw; another trial, level, image or seed another one', async () => {
    const [inside, beside] = noisePair({ norm: 'linf', levels: [0.01, 0.02], trials: 2 });
    // In the middle of the range nothing is clipped, so the draw can be read off again.
    const gray = sampleOf(
      'gray',
      { ...sample.picture, data: sample.picture.data.map(() => 0.5) },
      ellipse(16, 16),
    );
    const drawn = async (variant = inside, of = gray, trial = 0, level = 0.01, seed = 0) =>
      (await pictureOf(variant, of, context, { level, trial }, seed)).data.map(
        (value) => (value - 0.5) / level,
      );
    const full = await drawn();
    const swapped = sampleOf('gray', gray.picture, invertRegion(gray.object as Region));
    expect(await drawn(beside, swapped)).toEqual(full);
    for (const other of [
      drawn(inside, gray, 1),
      drawn(inside, gray, 0, 0.02),
      drawn(inside, { ...gray, id: 'another' }),
      drawn(inside, gray, 0, 0.01, 1),
    ])
      expect(await other).not.toEqual(full);
  });

  it('the length of L2 noise is what was asked, however large the region', async () => {
    const gray = { ...sample.picture, data: sample.picture.data.map(() => 0.5) };
    for (const share of [0.1, 0.3, 0.45])
      for (const variant of noisePair({ norm: 'l2', levels: [25], trials: 1 })) {
        const outcome = await applied(variant, sampleOf('gray', gray, ellipse(16, 16, share)), context);
        if ('invalid' in outcome) throw new Error(outcome.invalid);
        const asked = (25 * 16) / 224;
        expect(outcome.extra?.length).toBeLessThanOrEqual(asked + 1e-6);
        expect(outcome.extra?.length).toBeGreaterThan(0.8 * asked);
      }
  });

  it('an image without a usable object is left out with its reason', async () => {
    const [inside] = noisePair({ norm: 'linf', trials: 1 });
    const with_ = (object: Region | null) =>
      applied(inside, sampleOf('s', smoothPicture(16, 16, 0), object), context);
    expect(await with_(null)).toEqual({ invalid: 'mask-missing' });
    expect(await with_(new Uint8Array(256))).toEqual({ invalid: 'mask-empty' });
    expect(await with_(new Uint8Array(256).fill(1))).toEqual({ invalid: 'mask-full' });
    expect(await with_(new Uint8Array(256).fill(1, 0, 1))).toEqual({ invalid: 'mask-tiny' });
    expect(await with_(new Uint8Array(256).fill(1, 0, 2))).toHaveProperty('picture');
  });
});

describe('masked corruptions', () => {
  it('leave the other region bit for bit, and both halves make up the whole', async () => {
    const samples = herd(32, 24);
    const [sample] = samples as [Sample];
    const context = surroundingsOf(samples);
    const object = sample.object as Region;
    const severe = { levels: [4] };
    const [whole, inside, beside] = [
      corruptionVariants(severe),
      corruptionVariants({ ...severe, where: 'object' }),
      corruptionVariants({ ...severe, where: 'background' }),
    ];
    expect(inside.length).toBe(corruptions.length);
    for (let i = 0; i < whole.length; i++) {
      const [all, only, rest] = await Promise.all(
        [whole, inside, beside].map(
          async (list) => (await pictureOf(list[i] as never, sample, context)).data,
        ),
      );
      const clean = sample.picture.data;
      const expected = (isIn: boolean) =>
        clean.map((value, at) =>
          Boolean(object[at % object.length]) === isIn ? ((all as Float32Array)[at] as number) : value,
        );
      expect(only, whole[i]?.id).toEqual(expected(true));
      expect(rest, whole[i]?.id).toEqual(expected(false));
    }
  });
});

const setting: Setting = {
  ...{ preset: 'quick', seed: 0, side: 64, classes: ['cat', 'dog', 'bird'] },
  ...{ attributes: ATTRIBUTES, marked: ATTRIBUTES },
  offers: { gradient: false, oracle: false, features: false },
};

const nameOf = ({ id, parameters }: Variant) => `${id} ${JSON.stringify(parameters)}`;

/** All variants of the suites that change pictures without a model, and further settings of them. */
function everyVariant(): Variant[] {
  const planned = suites
    .flatMap((suite) => suite.variants(setting))
    .filter(
      ({ id, needs }) =>
        !/^(attack|fmr|saliency)/.test(id) && !needs.some((need) => UNAVAILABLE.includes(need)),
    );
  const known = new Set(handpicked().map(nameOf));
  return [
    ...handpicked(),
    ...planned.filter((variant) => !known.has(nameOf(variant)) && known.add(nameOf(variant))),
  ];
}

const UNAVAILABLE: readonly Need[] = ['gradient', 'oracle', 'decoder', 'feature map', 'tail'];

const handpicked = (): Variant[] => [
  identity(),
  ...noisePair({ norm: 'linf', trials: 2 }),
  ...noisePair({ norm: 'l2', trials: 2 }),
  grayRegion('object'),
  grayRegion('background'),
  grayAttributes(ATTRIBUTES),
  ...corruptionVariants(),
  ...corruptionVariants({ types: ['fog', 'glass-blur', 'pixelate'], levels: [5], where: 'object' }),
  ...corruptionVariants({
    types: ['snow', 'motion-blur', 'jpeg-compression'],
    levels: [3],
    where: 'background',
  }),
  onlyObject(),
  withoutObject(),
  onlyBackgroundBox(),
  onlyBackgroundTiled(),
  mixBackground('same'),
  mixBackground('next', { feather: 2 }),
  ...inpaintings.map((filler) => mixBackground('other', { filler })),
  silhouette(),
  filledSilhouette(),
  grayscale(),
  edges(),
  pasteBack(),
  ...(['simpler', 'richer', 'same', 'other'] as const).map((kind) => backgroundEdit(kind)),
  sizeEdit(),
  sizeEdit(undefined, { filler: 'tile', feather: 0, moves: 'largest' }),
  positionEdit(),
  positionGrid(),
  directionEdit(undefined, { trials: 1 }),
  directionEdit(['random'], { trials: 2 }),
  flipEdit(),
  insertAttributes(ATTRIBUTES),
  insertAttributes(ATTRIBUTES, { placement: 'fitted', mustTouchObject: true, feather: 1 }),
  removeAttributes(ATTRIBUTES),
  nodeMaps(ATTRIBUTES),
];
