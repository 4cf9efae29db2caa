import { describe, expect, it } from 'vitest';
import { area, rasterizeShapes, toBitmap } from '@/lib/core/mask';
import { type PlacePrompt, samPrompts } from '@/lib/services/inference/assists/prompt';
import {
  fitWithin,
  imageTensor,
  maskLogits,
  type ScoredMask,
  saliencyMask,
  samMasks,
} from '@/lib/services/inference/assists/tensors';

describe('a picture on its way into a network', () => {
  it('keeps its proportions within the square', () => {
    expect(fitWithin({ width: 4000, height: 3000 }, 1024)).toEqual({ width: 1024, height: 768 });
    expect(fitWithin({ width: 30, height: 60 }, 1024)).toEqual({ width: 512, height: 1024 });
    expect(fitWithin({ width: 9000, height: 1 }, 1024)).toEqual({ width: 1024, height: 1 });
  });

  it('becomes planes of normalised values, with zeros right of it and below', () => {
    const tensor = imageTensor([255, 0, 103.53, 123.675, 116.28, 0], { width: 2, height: 1 }, 3);
    const plane = (channel: number) => Array.from(tensor.slice(9 * channel, 9 * channel + 9));
    expect(plane(0)[0]).toBeCloseTo((255 - 123.675) / 58.395, 5);
    expect(plane(0).slice(1)).toEqual(Array(8).fill(0));
    expect(plane(1)[0]).toBeCloseTo(-116.28 / 57.12, 5);
    expect(plane(1)[1]).toBe(0);
    expect(plane(2)[0]).toBeCloseTo(0, 5);
    expect(plane(2)[1]).toBeCloseTo(-103.53 / 57.375, 5);
  });
});

describe('a prompt on its way into the decoder', () => {
  const image = { width: 200, height: 100 };
  const frame = { width: 1024, height: 512 };

  it('has clicks in the scaled frame and a last point that means nothing', () => {
    const points = [
      { x: 100, y: 50, include: true },
      { x: 25, y: 0, include: false },
    ];
    const { coordinates, labels } = samPrompts([{ kind: 'point', points }], image, frame);
    expect(Array.from(coordinates)).toEqual([512, 256, 128, 0, 0, 0]);
    expect(Array.from(labels)).toEqual([1, 0, -1]);
  });

  it('has the corners of a box after the clicks, within the image', () => {
    const prompt = {
      kind: 'box',
      box: [150, -20, 80, 70],
      points: [{ x: 175, y: 25, include: true }],
    } as const;
    const { coordinates, labels } = samPrompts(
      [{ ...prompt, box: [...prompt.box], points: [...prompt.points] }],
      image,
      frame,
    );
    expect(Array.from(coordinates)).toEqual([896, 128, 768, 0, 1024, 256]);
    expect(Array.from(labels)).toEqual([1, 2, 3]);
  });

  it('has points along a scribble, at equal distances and not at its ends', () => {
    const strokes = [
      { path: [0, 50, 60, 50, 120, 50], include: true },
      { path: [10, 10], include: false },
    ];
    const { coordinates, labels } = samPrompts([{ kind: 'scribble', strokes }], image, image);
    expect(Array.from(labels)).toEqual([1, 1, 1, 1, 1, 1, 0, -1]);
    const places = [10, 30, 50, 70, 90, 110].flatMap((x) => [x, 50]);
    expect(Array.from(coordinates)).toEqual([...places, 10, 10, 0, 0]);
  });

  it('is one row of a batch', () => {
    const boxes = [0, 50].map((x): PlacePrompt => ({ kind: 'box', box: [x, 0, 10, 10], points: [] }));
    const { length, coordinates, labels } = samPrompts(boxes, image, image);
    expect(length).toBe(2);
    expect(Array.from(coordinates)).toEqual([0, 0, 10, 10, 50, 0, 60, 10]);
    expect(Array.from(labels)).toEqual([2, 3, 2, 3]);
  });

  it('can start from a mask, which covers the square of the encoder', () => {
    const outer = [0, 0, 100, 0, 100, 100, 0, 100];
    const left = rasterizeShapes([{ kind: 'polygon', op: 'add', outer, holes: [] }], 100, 200);
    const rows = (logits: Float32Array) =>
      Array.from({ length: 4 }, (_, y) => Array.from(logits.subarray(4 * y, 4 * y + 4), Math.sign));
    const padded = rows(maskLogits(left, 4, { side: 1024, frame }));
    expect(padded).toEqual([
      [1, 1, -1, -1],
      [1, 1, -1, -1],
      [-1, -1, -1, -1],
      [-1, -1, -1, -1],
    ]);
    const stretched = rows(maskLogits(left, 4, { side: 1024, frame: { width: 1024, height: 1024 } }));
    expect(stretched).toEqual(Array(4).fill([1, 1, -1, -1]));
  });
});

describe('what comes out of a network', () => {
  /** A square of logits with a block of the given value in the middle. */
  const block = (value: number) =>
    Float32Array.from({ length: 64 }, (_, i) => {
      const [x, y] = [i % 8, Math.floor(i / 8)];
      return x >= 2 && x < 6 && y >= 2 && y < 6 ? value : -1;
    });

  it('is the mask that the decoder itself thinks best, at the size of the image', () => {
    const data = Float32Array.from([...block(-1), ...block(1), ...block(-1)]);
    const best = (estimates: number[], prompts = 1) =>
      samMasks({ data, dims: [1, 3, 8, 8] }, estimates, prompts, { width: 16, height: 16 });
    const [{ mask, score }] = best([0.2, 0.9, 0.5]) as [ScoredMask];
    expect(score).toBe(0.9);
    expect([mask.width, mask.height]).toEqual([16, 16]);
    expect(area(mask)).toBeGreaterThan(48);
    expect(area(mask)).toBeLessThanOrEqual(64);
    expect(area((best([0.9, 0.2, 0.5]) as [ScoredMask])[0].mask)).toBe(0);
    // Three prompts with one candidate each.
    expect(best([0.2, 0.9, 0.5], 3).map((found) => area(found.mask) > 0)).toEqual([false, true, false]);
  });

  it('is without specks', () => {
    const logits = Float32Array.from({ length: 400 }, (_, i) => (i % 20 < 15 ? 1 : -1));
    logits[399] = 1;
    const [{ mask }] = samMasks({ data: logits, dims: [1, 1, 20, 20] }, [1], 1, {
      width: 20,
      height: 20,
    }) as [ScoredMask];
    expect(toBitmap(mask)[399]).toBe(0);
    expect(area(mask)).toBe(300);
  });

  it('is what stands out, however faint all of it is', () => {
    const faint = block(1).map((value) => 0.2 + 0.05 * value);
    expect(area(saliencyMask(faint, 8, { width: 8, height: 8 }))).toBe(16);
    expect(area(saliencyMask(faint, 8, { width: 80, height: 40 }))).toBeCloseTo(16 * 50, -2.5);
  });
});
