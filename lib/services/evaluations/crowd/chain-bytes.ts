import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';

/** Red, green and blue of each pixel, as a file of a picture has them. */
export function bytesOf({ width, height, data }: Picture): Uint8Array {
  const area = width * height;
  const bytes = new Uint8Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * Math.min(1, Math.max(0, data[c * area + i] as number)));
  return bytes;
}

export function pictureOf(bytes: Uint8Array, { width, height }: { width: number; height: number }): Picture {
  const area = width * height;
  const data = new Float32Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++) data[c * area + i] = (bytes[CHANNELS * i + c] as number) / 255;
  return { width, height, data };
}

/** The clean picture has this place, the first that it was driven to has 0. */
export const CLEAN = -1;

/** One of the pictures that lie one after the other, the clean one first. */
export function stepOf(chain: Uint8Array, size: { width: number; height: number }, step: number): Uint8Array {
  const each = CHANNELS * size.width * size.height;
  const from = (step - CLEAN) * each;
  if (from < 0 || from + each > chain.length) throw new Error(`The chain has no step ${step}.`);
  return chain.subarray(from, from + each);
}
