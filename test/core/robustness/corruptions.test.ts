import { describe, expect, it } from 'vitest';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import { diskTaps, gaussianBlur } from '@/lib/core/robustness/pixels/blur';
import { plasmaNoise } from '@/lib/core/robustness/pixels/texture';
import { createRng, poisson } from '@/lib/core/robustness/random';
import { zoomFactors } from '@/lib/core/robustness/variants/corruptions/blur';
import {
  corruptions,
  corruptionVariant,
} from '@/lib/core/robustness/variants/corruptions/corruption-variant';
import { pixelatedSide } from '@/lib/core/robustness/variants/corruptions/digital';
import { fogged } from '@/lib/core/robustness/variants/corruptions/weather';
import { l2Distance } from '@/lib/core/robustness/variants/noise';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import { pictureOf, sampleOf, smoothPicture, surroundingsOf } from './samples';

const context = surroundingsOf([]);
const FIVE = [1, 2, 3, 4, 5];

/** Two by two pixels, given as colours. */
const ofColours = (colours: readonly (readonly number[])[]): Picture => ({
  width: 2,
  height: 2,
  data: Float32Array.from([0, 1, 2].flatMap((channel) => colours.map((colour) => colour[channel] as number))),
});
const colours = ({ data }: Picture) =>
  Array.from({ length: 4 }, (_, i) => [0, 1, 2].map((channel) => data[4 * channel + i] as number));

function corrupted(id: string, picture: Picture, level: number, seed = 0): Promise<Picture> {
  const corruption = corruptions.find((each) => each.id === id);
  if (!corruption) throw new Error(`No corruption ${id}.`);
  return pictureOf(
    corruptionVariant(corruption),
    sampleOf('s', picture, null),
    context,
    { level, trial: 0 },
    seed,
  );
}

const meanOf = (values: ArrayLike<number>) =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

describe('common corruptions', () => {
  it('are fifteen, each in five severities that differ', async () => {
    expect(corruptions.map(({ id }) => id)).toEqual([
      'gaussian-noise',
      'shot-noise',
      'impulse-noise',
      'defocus-blur',
      'glass-blur',
      'motion-blur',
      'zoom-blur',
      'snow',
      'frost-p',
      'fog',
      'brightness',
      'contrast',
      'elastic-transform',
      'pixelate',
      'jpeg-compression',
    ]);
    // Weather comes by chance, and elastic warps are not ordered in the published table.
    const unordered = ['snow', 'frost-p', 'fog', 'elastic-transform'];
    const picture = smoothPicture(48, 48, 1);
    for (const { id } of corruptions) {
      const all = await Promise.all(FIVE.map((level) => corrupted(id, picture, level)));
      const far = all.map((each) => l2Distance(each, picture));
      for (const each of far) expect(each, id).toBeGreaterThan(0);
      expect(new Set(far).size, id).toBe(5);
      if (!unordered.includes(id)) expect(far[4], id).toBeGreaterThan(far[0] as number);
    }
  });

  it('contrast, brightness, fog and pixelate are as worked out by hand', async () => {
    for (const [id, level, { x, out }] of [
      ['contrast', 3, vectors.contrastS3],
      ['brightness', 2, vectors.brightnessS2],
    ] as const) {
      const found = colours(await corrupted(id, ofColours(x), level));
      found.flat().forEach((value, i) => {
        expect(value, id).toBeCloseTo(out.flat()[i] as number, 6);
      });
    }
    expect(fogged(0.5, 1, 1.5, 0.4)).toBeCloseTo(0.44, 12);
    expect(FIVE.map((severity) => pixelatedSide(224, severity))).toEqual([134, 112, 89, 67, 56]);
    expect(FIVE.map((severity) => zoomFactors(severity).length)).toEqual([12, 16, 11, 13, 11]);
    expect(zoomFactors(1).at(-1)).toBeCloseTo(1.11, 12);
  });

  it('noise has the strength of the table', async () => {
    const gray: Picture = { width: 64, height: 64, data: new Float32Array(CHANNELS * 4096).fill(0.5) };
    const spread = (picture: Picture) => l2Distance(picture, gray) / Math.sqrt(picture.data.length);
    expect(spread(await corrupted('gaussian-noise', gray, 1))).toBeCloseTo(0.08, 2);
    // Poisson: the variance is the mean, so the spread of x is √(x / c).
    expect(spread(await corrupted('shot-noise', gray, 1))).toBeCloseTo(Math.sqrt(0.5 / 60), 2);
    const lost = (await corrupted('impulse-noise', gray, 5)).data.filter((value) => value !== 0.5);
    expect(lost.length / gray.data.length).toBeCloseTo(0.27, 1);
    expect(lost.every((value) => value === 0 || value === 1)).toBe(true);
  });

  it('blurs keep a flat picture flat and the mean of any', async () => {
    const flat: Picture = { width: 40, height: 30, data: new Float32Array(CHANNELS * 1200).fill(0.3) };
    const picture = smoothPicture(224, 60, 2);
    for (const id of [
      'defocus-blur',
      'glass-blur',
      'motion-blur',
      'zoom-blur',
      'pixelate',
      'elastic-transform',
    ]) {
      const still = await corrupted(id, flat, 5);
      expect(Math.max(...still.data.map((value) => Math.abs(value - 0.3))), id).toBeLessThan(1e-5);
      const blurred = await corrupted(id, picture, 3);
      expect(Math.abs(meanOf(blurred.data) - meanOf(picture.data)), id).toBeLessThan(0.02);
    }
  });

  it('chance belongs to the seed, and those without chance do not depend on it', async () => {
    const picture = smoothPicture(32, 32, 0);
    const certain = ['defocus-blur', 'zoom-blur', 'brightness', 'contrast', 'pixelate', 'jpeg-compression'];
    for (const { id } of corruptions) {
      const [first, second] = await Promise.all([0, 1].map((seed) => corrupted(id, picture, 3, seed)));
      if (certain.includes(id)) expect(first, id).toEqual(second);
      else expect(first, id).not.toEqual(second);
    }
  });

  it('are as strong in a small picture as in a large one of the same scene', async () => {
    // The same waves at two sizes; what a blur takes away is a matter of its width beside theirs.
    const scene = (side: number): Picture => ({
      width: side,
      height: side,
      data: Float32Array.from({ length: CHANNELS * side * side }, (_, i) => {
        const [x, y] = [((i % side) + 0.5) / side, ((Math.floor(i / side) % side) + 0.5) / side];
        return 0.5 + 0.2 * Math.sin(40 * x) + 0.2 * Math.cos(30 * y);
      }),
    });
    for (const id of ['defocus-blur', 'motion-blur', 'zoom-blur']) {
      const [small, large] = await Promise.all(
        [112, 224].map(async (side) => l2Distance(await corrupted(id, scene(side), 3), scene(side)) / side),
      );
      expect((small as number) / (large as number), id).toBeGreaterThan(0.85);
      expect((small as number) / (large as number), id).toBeLessThan(1.15);
    }
  });
});

describe('what corruptions are made of', () => {
  it('a blur wider than the picture is the same as one that walks on through its mirrors', () => {
    const line = Float64Array.from({ length: 6 }, (_, i) => i * i);
    const long = Float64Array.from({ length: 6 * 41 }, (_, i) => {
      const [turn, at] = [Math.floor(i / 6), i % 6];
      return line[turn % 2 === 0 ? at : 5 - at] as number;
    });
    const [folded, walked] = [gaussianBlur(line, 6, 1, 8), gaussianBlur(long, long.length, 1, 8)];
    folded.forEach((value, i) => {
      expect(value).toBeCloseTo(walked[20 * 6 + i] as number, 9);
    });
  });

  it('a disk has its area, and below a pixel still some of it', () => {
    const area = (radius: number) => 1 / Math.max(...diskTaps(radius).map(({ weight }) => weight));
    for (const radius of [3, 4.5, 10]) expect(area(radius) / (Math.PI * radius ** 2)).toBeCloseTo(1, 2);
    expect(diskTaps(0.86).length).toBeGreaterThan(1);
    expect(diskTaps(0)).toEqual([{ dx: 0, dy: 0, weight: 1 }]);
  });

  it('Poisson numbers have their mean and variance', () => {
    const rng = createRng('poisson');
    for (const mean of [0, 0.3, 4, 60]) {
      const drawn = Array.from({ length: 4000 }, () => poisson(mean, rng));
      const found = meanOf(drawn);
      const variance = meanOf(drawn.map((value) => (value - found) ** 2));
      expect(Math.abs(found - mean)).toBeLessThan(5 * Math.sqrt(mean / 4000) + 1e-9);
      expect(Math.abs(variance - mean)).toBeLessThan(0.15 * mean + 0.05);
    }
  });

  it('clouds reach from 0 to 1, and are rougher where they decay less', () => {
    const roughness = (decay: number) => {
      const map = plasmaNoise(64, 64, decay, createRng('clouds'));
      expect([Math.min(...map), Math.max(...map)]).toEqual([0, 1]);
      return meanOf(map.slice(1).map((value, i) => Math.abs(value - (map[i] as number))));
    };
    expect(roughness(1.2)).toBeGreaterThan(roughness(2));
    expect(plasmaNoise(1, 1, 2, createRng('point'))).toEqual(Float64Array.of(0));
  });
});
