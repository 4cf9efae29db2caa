import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelPng } from '@/lib/core/formats/codecs/label-png';
import { decodePng } from '@/lib/core/formats/codecs/png';
import { paintMap } from '@/lib/core/formats/paint';
import { fromBitmap } from '@/lib/core/mask';

const scene = fc
  .record({ width: fc.integer({ min: 1, max: 40 }), height: fc.integer({ min: 1, max: 40 }) })
  .chain(({ width, height }) =>
    fc.record({
      width: fc.constant(width),
      height: fc.constant(height),
      layers: fc.array(
        fc.record({
          value: fc.integer({ min: 1, max: 255 }),
          // Blocks rather than noise: what masks look like.
          box: fc.tuple(fc.nat(width), fc.nat(height), fc.nat(width), fc.nat(height)),
          speck: fc.nat(width * height - 1),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  )
  .map(({ width, height, layers }) => ({
    width,
    height,
    layers: layers.map(({ value, box: [x, y, w, h], speck }) => {
      const bitmap = new Uint8Array(width * height);
      for (let row = y; row < Math.min(height, y + h); row++)
        bitmap.fill(1, row * width + x, row * width + Math.min(width, x + w));
      bitmap[speck] = 1;
      return { value, mask: fromBitmap(bitmap, height, width) };
    }),
  }));

describe('labelPng', () => {
  it('shows the painted map, whatever the samples', async () => {
    await fc.assert(
      fc.asyncProperty(
        scene,
        fc.constantFrom('grey-8', 'grey-16', 'rgb', 'palette'),
        async (made, samples) => {
          const { width, height } = made;
          const scale = samples === 'rgb' ? 65_793 : samples === 'grey-16' ? 257 : 1;
          const layers = made.layers.map(({ value, mask }) => ({ mask, value: value * scale }));
          const palette = samples === 'palette' ? new Uint8Array(768) : undefined;
          const png = await decodePng(labelPng(layers, width, height, samples, palette));
          expect([png.width, png.height]).toEqual([width, height]);
          const painted = paintMap(layers, width, height, 32);
          const values = Array.from(painted, (_, i) =>
            samples === 'rgb'
              ? (png.pixels[3 * i] as number) +
                256 * (png.pixels[3 * i + 1] as number) +
                65_536 * (png.pixels[3 * i + 2] as number)
              : (png.pixels[i] as number),
          );
          expect(values).toEqual([...painted]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of nothing is all background', async () => {
    const { pixels } = await decodePng(labelPng([], 5, 3, 'grey-8'));
    expect([...pixels]).toEqual(new Array(15).fill(0));
  });
});
