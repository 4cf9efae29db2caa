import fc from 'fast-check';
import { fromBitmap, type Mask, toBitmap } from '@/lib/core/mask';
import { type Kernel, kernel } from '@/lib/core/mask/kernel';
import { plainKernel } from '@/lib/core/mask/kernel/plain';
import { createWasmKernel } from '@/lib/core/mask/kernel/wasm';

/** Both implementations of the inner loops; the one that a test did not choose stays untouched. */
export const kernels: readonly Kernel[] = [plainKernel, createWasmKernel() as Kernel];
export const initialKernel = kernel();

export const anySize = fc.record({
  height: fc.integer({ min: 1, max: 24 }),
  width: fc.integer({ min: 1, max: 24 }),
});

/** Noise of some density, or blocks: both have holes, specks and diagonal touches. */
export function maskOf(height: number, width: number): fc.Arbitrary<Mask> {
  return fc
    .record({
      noise: fc.uint8Array({ minLength: height * width, maxLength: height * width }),
      density: fc.integer({ min: 0, max: 256 }),
      block: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ noise, density, block }) =>
      paint(height, width, (x, y) => {
        const cell = Math.floor(y / block) * width + Math.floor(x / block);
        return (noise[cell] as number) < density;
      }),
    );
}

export const anyMask: fc.Arbitrary<Mask> = anySize.chain(({ height, width }) => maskOf(height, width));

export function masksOfOneSize(count: number): fc.Arbitrary<Mask[]> {
  return anySize.chain(({ height, width }) =>
    fc.array(maskOf(height, width), { minLength: count, maxLength: count }),
  );
}

export const anyPair = masksOfOneSize(2) as fc.Arbitrary<[Mask, Mask]>;

export function paint(height: number, width: number, on: (x: number, y: number) => boolean): Mask {
  const bytes = new Uint8Array(height * width);
  for (let p = 0; p < bytes.length; p++) bytes[p] = on(p % width, Math.floor(p / width)) ? 1 : 0;
  return fromBitmap(bytes, height, width);
}

/** A mask from a drawing: '#' is foreground, lines are rows. */
export function drawn(...rows: string[]): Mask {
  return paint(rows.length, rows[0]?.length ?? 0, (x, y) => rows[y]?.[x] === '#');
}

/** The reverse of `drawn`. */
export function drawing(mask: Mask): string[] {
  const bytes = toBitmap(mask);
  return Array.from({ length: mask.height }, (_, y) =>
    Array.from(bytes.subarray(y * mask.width, (y + 1) * mask.width), (b) => (b ? '#' : '.')).join(''),
  );
}

/** Reads a pixel; beyond the canvas there is background. */
export function pixels(mask: Mask): (x: number, y: number) => boolean {
  const bytes = toBitmap(mask);
  return (x, y) => x >= 0 && y >= 0 && x < mask.width && y < mask.height && bytes[y * mask.width + x] === 1;
}
