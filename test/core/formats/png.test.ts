import { deflateSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { deflateRuns, inflate } from '@/lib/core/formats/codecs/deflate';
import { encodeLabelPng } from '@/lib/core/formats/codecs/label-png';
import { paintMap } from '@/lib/core/formats/codecs/paint';
import { decodePng, encodePng } from '@/lib/core/formats/codecs/png';
import { fromBitmap } from '@/lib/core/mask';

/** Bytes as masks have them: some long runs, some noise. */
const runs = fc
  .array(
    fc.tuple(fc.nat(255), fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 200, max: 900 }))),
    {
      maxLength: 60,
    },
  )
  .map((list) => Uint8Array.from(list.flatMap(([byte, count]) => Array<number>(count).fill(byte))));

describe('deflateRuns', () => {
  it('writes streams that zlib reads, for runs and for noise', () => {
    fc.assert(
      fc.property(fc.oneof(runs, fc.uint8Array({ maxLength: 5000 })), (bytes) => {
        expect(Buffer.compare(inflateSync(deflateRuns(bytes)), bytes)).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('goes on over many blocks, and keeps skewed codes within 15 bits', () => {
    const bytes = new Uint8Array(200_000);
    // Counts like Fibonacci numbers make the deepest tree there is.
    for (let i = 0, symbol = 0, left = 1, [a, b] = [1, 1]; i < bytes.length; i++) {
      bytes[i] = i % 2 ? symbol : 255 - symbol;
      if (--left === 0) {
        symbol = (symbol + 1) % 100;
        [a, b] = [b, (a + b) % 30_000];
        left = Math.max(1, b);
      }
    }
    expect(Buffer.compare(inflateSync(deflateRuns(bytes)), bytes)).toBe(0);
  });

  it('makes a mask smaller than zlib at its fastest does', () => {
    const bytes = new Uint8Array(640 * 480);
    for (let y = 100; y < 300; y++) bytes.fill(1, y * 640 + 200, y * 640 + 200 + y);
    expect(deflateRuns(bytes).length).toBeLessThan(deflateSync(bytes, { level: 1 }).length);
  });
});

describe('inflate', () => {
  it('refuses more than it was told to expect, and what is no zlib stream', async () => {
    const bomb = deflateSync(new Uint8Array(50_000_000));
    await expect(inflate(bomb, 1000)).rejects.toThrow('more than the 1000 bytes');
    await expect(inflate(Uint8Array.of(1, 2, 3, 4), 1000)).rejects.toThrow('broken');
    expect(await inflate(deflateSync(Uint8Array.of(7, 8)), 2)).toEqual(Uint8Array.of(7, 8));
  });
});

const image = fc
  .record({
    width: fc.integer({ min: 1, max: 40 }),
    height: fc.integer({ min: 1, max: 40 }),
    channels: fc.constantFrom(1 as const, 3 as const, 4 as const),
    depth: fc.constantFrom(8 as const, 16 as const),
    seed: fc.nat(),
  })
  .map(({ seed, ...size }) => {
    const count = size.width * size.height * size.channels;
    const most = size.depth === 8 ? 256 : 65_536;
    const pixels = size.depth === 8 ? new Uint8Array(count) : new Uint16Array(count);
    for (let i = 0; i < count; i++) pixels[i] = (Math.floor(i / 9) * (seed % 9973)) % most;
    return { ...size, pixels };
  });

describe('PNG', () => {
  it('comes back as it was written, and sharp sees the same samples', async () => {
    await fc.assert(
      fc.asyncProperty(image, async (given) => {
        const bytes = encodePng(given);
        const back = await decodePng(bytes);
        expect(back).toEqual({ ...given, palette: null });
        if (given.channels === 1 && given.depth === 16) {
          const raw = await sharp(bytes).toColourspace('grey16').raw({ depth: 'ushort' }).toBuffer();
          expect(new Uint16Array(raw.buffer, raw.byteOffset, raw.length / 2)).toEqual(given.pixels);
        } else if (given.depth === 8) {
          const kind = given.channels === 1 ? sharp(bytes).toColourspace('b-w') : sharp(bytes);
          expect(new Uint8Array(await kind.raw().toBuffer())).toEqual(given.pixels);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps palette indices, and sharp sees the colours', async () => {
    const palette = Uint8Array.from({ length: 768 }, (_, i) => (i * 7) % 256);
    const pixels = Uint8Array.from({ length: 60 }, (_, i) => i * 4);
    const bytes = encodePng({ width: 10, height: 6, channels: 1, depth: 8, palette, pixels });
    const back = await decodePng(bytes);
    expect(back.pixels).toEqual(pixels);
    expect(back.palette).toEqual(palette);
    const colours = new Uint8Array(await sharp(bytes).raw().toBuffer());
    expect(colours).toEqual(
      Uint8Array.from([...pixels].flatMap((i) => [...palette.subarray(3 * i, 3 * i + 3)])),
    );
  });

  it('is read as sharp writes it: any filter, palettes of few bits', async () => {
    const raw = { width: 33, height: 21, channels: 3 as const };
    const noise = Uint8Array.from({ length: 33 * 21 * 3 }, (_, i) => (i * i * 31 + (i >> 3)) % 256);
    const photo = await sharp(noise, { raw }).png({ adaptiveFiltering: true }).toBuffer();
    expect((await decodePng(photo)).pixels).toEqual(noise);
    const few = noise.map((value) => (value > 127 ? 255 : 0));
    for (const colours of [2, 4, 16]) {
      const coded = await sharp(few, { raw }).png({ palette: true, colours, dither: 0 }).toBuffer();
      const { pixels, palette } = await decodePng(coded);
      const seen = new Uint8Array(await sharp(coded).removeAlpha().toColourspace('srgb').raw().toBuffer());
      expect([...pixels].flatMap((i) => [...(palette as Uint8Array).subarray(3 * i, 3 * i + 3)])).toEqual([
        ...seen,
      ]);
    }
  });

  it('answers broken files with an error, whatever is broken', async () => {
    const good = encodePng({
      width: 8,
      height: 8,
      channels: 1,
      depth: 8,
      pixels: new Uint8Array(64).fill(3),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const broken = good.slice();
        broken[at] = (broken[at] as number) ^ change;
        await expect(decodePng(broken)).rejects.toThrow(Error);
        await expect(decodePng(good.subarray(0, at))).rejects.toThrow(Error);
      }),
    );
    await expect(decodePng(good, 10)).rejects.toThrow('over the limit');
    const interlaced = await sharp(Buffer.from(good)).png({ progressive: true }).toBuffer();
    await expect(decodePng(interlaced)).rejects.toThrow('without interlacing');
  });
});

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
          const png = await decodePng(encodeLabelPng(layers, width, height, samples, palette));
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
    const { pixels } = await decodePng(encodeLabelPng([], 5, 3, 'grey-8'));
    expect([...pixels]).toEqual(new Array(15).fill(0));
  });
});
