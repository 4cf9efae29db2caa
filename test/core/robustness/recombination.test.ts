import { describe, expect, it } from 'vitest';
import {
  invertRegion,
  largestSquare,
  type Picture,
  type Region,
  regionArea,
} from '@/lib/core/robustness/picture';
import { inpaintings, inpaintSmoothly, removeObject } from '@/lib/core/robustness/pixels/compositing';
import { createRng } from '@/lib/core/robustness/random';
import { insertAttributes, removeAttributes } from '@/lib/core/robustness/variants/attributes';
import {
  backgroundEdit,
  mixBackground,
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '@/lib/core/robustness/variants/backgrounds';
import { edges, filledSilhouette, silhouette } from '@/lib/core/robustness/variants/shape';
import {
  alone,
  anyPicture,
  applied,
  box,
  ellipse,
  flat,
  isObject,
  onGray,
  pictureOf,
  region,
  SIDE,
  sampleOf,
  smoothPicture,
  surroundingsOf,
  where,
} from './samples';

describe('backgrounds', () => {
  const object = ellipse(SIDE, SIDE);
  const sample = sampleOf('cat', smoothPicture(SIDE, SIDE, 0), object);
  const dog = sampleOf('dog', smoothPicture(SIDE, SIDE, 2), ellipse(SIDE, SIDE, 0.2), { classIndex: 1 });

  it('fillers leave the background bit for bit and know nothing of the object', () => {
    const other = {
      ...sample.picture,
      data: sample.picture.data.map((value, i) => (object[i % object.length] ? 1 : value)),
    };
    for (const filler of inpaintings) {
      const [plate, again] = [sample.picture, other].map((picture) => removeObject(picture, object, filler));
      expect(again, filler).toEqual(plate);
      const isKept = (value: number, i: number) =>
        object[i % object.length] === 1 || value === sample.picture.data[i];
      expect(plate?.data.every(isKept), filler).toBe(true);
    }
    // Between two shades there are only shades between them.
    const halves = flat(0.2).data.map((value, i) => (i % SIDE < SIDE / 2 ? value : 0.6));
    const filled = inpaintSmoothly({ width: SIDE, height: SIDE, data: halves }, object);
    expect(Math.min(...filled.data)).toBeGreaterThanOrEqual(0.2 - 1e-6);
    expect(Math.max(...filled.data)).toBeLessThanOrEqual(0.6 + 1e-6);
  });

  it('the object, and the background, each alone', async () => {
    const pixels = async (variant = onlyObject()) => (await pictureOf(variant, sample, alone)).data;
    const clean = sample.picture.data;
    const inside = (i: number) => Boolean(object[i % object.length]);
    expect(await pixels()).toEqual(clean.map((value, i) => (inside(i) ? value : 0)));
    expect(await pixels(withoutObject())).toEqual(clean.map((value, i) => (inside(i) ? 0 : value)));
    const [black, tiled] = [await pixels(onlyBackgroundBox()), await pixels(onlyBackgroundTiled())];
    const hidden = Array.from(black, (value) => value === 0);
    expect(hidden.filter(Boolean).length).toBeGreaterThan(3 * regionArea(object));
    // Tiles are copies: nothing of the box is left, nothing new comes in.
    const seen = new Set(clean.filter((_, i) => !hidden[i]));
    expect(tiled.every((value) => seen.has(value))).toBe(true);
    const wide = sampleOf(
      'wide',
      sample.picture,
      Uint8Array.from(object, (_, i) => Number(i % 33 === 0)),
    );
    for (const variant of [onlyBackgroundBox(), onlyBackgroundTiled()])
      expect(await applied(variant, wide, alone)).toEqual({ invalid: 'mask-full' });
  });

  it('an object on another background is bit for bit itself, and says whose background it is', async () => {
    const outcome = await applied(mixBackground('other'), sample, surroundingsOf([sample, dog]));
    if ('invalid' in outcome) throw new Error(outcome.invalid);
    expect(outcome.extra).toEqual({ backgroundClass: 1, donor: 'dog' });
    const plate = removeObject(dog.picture, dog.object as Region, 'smooth') as Picture;
    const expected = plate.data.map((value, i) =>
      object[i % object.length] ? (sample.picture.data[i] as number) : value,
    );
    expect(outcome.picture.data).toEqual(expected);
  });

  it('nobody lends who is nearly all object, unmasked, of another split, or the image itself', async () => {
    const lenders = [
      { ...dog, object: invertRegion(ellipse(SIDE, SIDE, 0.3)) },
      { ...dog, object: null },
      { ...dog, split: 'train' },
    ];
    for (const lender of lenders)
      expect(await applied(mixBackground('other'), sample, surroundingsOf([lender]))).toEqual({
        invalid: 'no-donor',
      });
    expect(await applied(mixBackground('same'), sample, surroundingsOf([sample]))).toEqual({
      invalid: 'no-donor',
    });
    // One of them among usable ones is passed over.
    for (let seed = 0; seed < 10; seed++)
      expect(
        await applied(
          mixBackground('other'),
          sample,
          surroundingsOf([...lenders, { ...dog, id: 'good' }]),
          undefined,
          seed,
        ),
      ).toHaveProperty('extra.donor', 'good');
  });

  it('a donor of another size is cut in proportion and resized', async () => {
    const large = sampleOf('large', smoothPicture(90, 60, 1), ellipse(90, 60, 0.2), { classIndex: 1 });
    const { width, height } = await pictureOf(mixBackground('other'), sample, surroundingsOf([large]));
    expect([width, height]).toEqual([SIDE, SIDE]);
  });

  it('a blurred background is simpler, a richer one is not, and both tell by how much', async () => {
    const measured = async (kind: 'simpler' | 'richer') => {
      const outcome = await applied(
        backgroundEdit(kind),
        sampleOf('s', anyPicture(SIDE, SIDE, createRng('busy')), object),
        alone,
      );
      if ('invalid' in outcome) throw new Error(outcome.invalid);
      return outcome.extra as { before: number; after: number };
    };
    const [simpler, richer] = [await measured('simpler'), await measured('richer')];
    expect(simpler.before).toBe(richer.before);
    expect(simpler.after).toBeLessThan(simpler.before);
    expect(richer.after).toBeGreaterThan(richer.before);
  });
});

describe('shape and texture', () => {
  it('a silhouette is black on white, and the texture of another object fills it', async () => {
    const object = ellipse(SIDE, SIDE, 0.4);
    const sample = sampleOf('s', smoothPicture(SIDE, SIDE, 0), object);
    const black = await pictureOf(silhouette(), sample, alone);
    expect(where(black, (value) => value === 0)).toEqual(object);
    // A donor whose object is of one colour: the texture is that colour, whatever surrounds it there.
    const plain = onGray(ellipse(SIDE, SIDE, 0.3));
    const donor = {
      ...plain,
      id: 'donor',
      classIndex: 2,
      picture: {
        ...plain.picture,
        data: plain.picture.data.map((value) => (isObject(value) ? 0.25 : value)),
      },
    };
    const outcome = await applied(filledSilhouette(), sample, surroundingsOf([donor]));
    if ('invalid' in outcome) throw new Error(outcome.invalid);
    expect(outcome.extra).toEqual({ textureClass: 2, donor: 'donor' });
    expect(where(outcome.picture, (value) => value === 0.25)).toEqual(object);
    expect(where(outcome.picture, (value) => value === 1)).toEqual(invertRegion(object));
  });

  it('the largest square of a region lies in it', () => {
    expect(
      largestSquare(
        region([
          [1, 1, 0, 1],
          [1, 1, 1, 1],
          [0, 1, 1, 1],
          [0, 1, 1, 1],
        ]),
        4,
      ),
    ).toEqual({ x: 1, y: 1, side: 3 });
    expect(largestSquare(new Uint8Array(9), 3)).toBeNull();
  });

  it('edges are thin lines around what stands out, and a flat picture has none', async () => {
    const drawn = await pictureOf(edges(), onGray(box(8, 8, 16, 16)), alone);
    const lines = where(drawn, (value) => value === 0);
    // Once around, one pixel thin, and nothing far from the outline.
    expect(regionArea(lines)).toBeGreaterThan(50);
    expect(regionArea(lines)).toBeLessThan(90);
    expect(lines.some((line, i) => line && box(11, 11, 10, 10)[i])).toBe(false);
    const none = await pictureOf(edges(), sampleOf('flat', flat(0.3), null), alone);
    expect(none.data.every((value) => value === 1)).toBe(true);
  });
});

describe('attributes inserted and removed', () => {
  const ears = box(12, 8, 4, 4);
  const body = ellipse(SIDE, SIDE, 0.35);
  const pos = sampleOf('pos', flat(0.1), body, {
    attributes: ['ears', 'furry', 'tail'],
    attributeRegions: { ears, furry: body },
  });
  const neg = sampleOf('neg', flat(0.9), ellipse(SIDE, SIDE, 0.2), { classIndex: 1, attributes: [] });
  const context = surroundingsOf([pos, neg]);

  it('a part goes over at its own coordinates, and its hole is filled from there', async () => {
    const inserted = await applied(insertAttributes(['ears']), pos, context);
    const removed = await applied(removeAttributes(['ears']), pos, context);
    if ('invalid' in inserted || 'invalid' in removed) throw new Error('No picture.');
    expect(where(inserted.picture, (value) => value < 0.5)).toEqual(ears);
    expect(where(removed.picture, (value) => value > 0.5)).toEqual(ears);
    expect(inserted.extra).toMatchObject({ donor: 'neg', donorClass: 1 });
  });

  it('fitted to the other object, it becomes smaller with it', async () => {
    const options = { placement: 'fitted', mustTouchObject: true } as const;
    const inserted = await pictureOf(insertAttributes(['ears'], options), pos, context);
    const area = regionArea(where(inserted, (value) => value < 0.5));
    expect(area).toBeGreaterThan(2);
    expect(area).toBeLessThan(regionArea(ears) / 2);
    const away = { ...pos, attributeRegions: { ears: box(0, 0, 4, 4) } };
    expect(await applied(insertAttributes(['ears'], { mustTouchObject: true }), away, context)).toEqual({
      invalid: 'no-donor',
    });
  });

  it('what is not there, not drawn, or the whole object is left out', async () => {
    for (const make of [insertAttributes, removeAttributes]) {
      const reason = async (attribute: string, of = pos) => applied(make([attribute]), of, context);
      expect(await reason('wet')).toEqual({ invalid: 'attribute-missing' });
      expect(await reason('tail')).toEqual({ invalid: 'attribute-missing' });
      expect(await reason('furry')).toEqual({ invalid: 'whole-object' });
      expect(await reason('ears', { ...pos, object: null })).toEqual({ invalid: 'mask-missing' });
    }
  });
});
