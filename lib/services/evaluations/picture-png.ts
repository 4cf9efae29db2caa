import sharp from 'sharp';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';
import type { Region } from '@/lib/core/robustness/region';

const png = (bytes: Uint8Array, width: number, height: number, channels: 3 | 4): Promise<Buffer> =>
  sharp(bytes, { raw: { width, height, channels } }).png().toBuffer();

/** As the model is given it, before it is normalised. */
export function pictureToPng({ width, height, data }: Picture): Promise<Buffer> {
  const area = width * height;
  const bytes = new Uint8Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * Math.min(1, Math.max(0, data[c * area + i] as number)));
  return png(bytes, width, height, 3);
}

/** Strongest where the model looks: laid over the picture, which stays visible. */
const STRONGEST = 0.75;

/** Red where it is 1, nothing where it is 0. */
export function mapToPng(map: ArrayLike<number>, width: number): Promise<Buffer> {
  const bytes = new Uint8Array(4 * map.length);
  for (let i = 0; i < map.length; i++) {
    const value = Math.min(1, Math.max(0, map[i] as number));
    // From yellow to red, so that half and full can be told apart.
    bytes.set([230, Math.round(190 * (1 - value)), 30, Math.round(255 * STRONGEST * value)], 4 * i);
  }
  return png(bytes, width, map.length / width, 4);
}

/** The pixels of a region that touch what is outside of it. */
export function outlineToPng(region: Region, width: number): Promise<Buffer> {
  const height = region.length / width;
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && region[y * width + x] !== 0;
  const bytes = new Uint8Array(4 * region.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (inside(x, y) && !(inside(x - 1, y) && inside(x + 1, y) && inside(x, y - 1) && inside(x, y + 1)))
        bytes.set([0, 160, 255, 255], 4 * (y * width + x));
  return png(bytes, width, height, 4);
}
