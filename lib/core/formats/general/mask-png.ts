import { crop, fromBitmap, type Mask } from '@/lib/core/mask';
import { labelPng } from '../codecs/label-png';
import { decodePng } from '../codecs/png';

/** One byte per pixel; `value` where the mask is. */
export function maskPng(mask: Mask, value: 1 | 255): Uint8Array {
  return labelPng([{ mask, value }], mask.width, mask.height, 'grey-8');
}

/** Any PNG: what is not black (and not transparent) is the mask. */
export async function pngMask(bytes: Uint8Array, maxPixels: number): Promise<Mask> {
  const { width, height, channels, pixels } = await decodePng(bytes, maxPixels);
  const bitmap = new Uint8Array(width * height);
  const colours = channels < 3 ? 1 : 3;
  const hasAlpha = channels === 2 || channels === 4;
  for (let i = 0; i < bitmap.length; i++) {
    if (hasAlpha && pixels[i * channels + channels - 1] === 0) continue;
    for (let c = 0; c < colours; c++) if (pixels[i * channels + c]) bitmap[i] = 1;
  }
  return fromBitmap(bitmap, height, width);
}

export const cropped = (mask: Mask, [x, y, width, height]: readonly number[]): Mask =>
  crop(mask, [x as number, y as number, width as number, height as number]);
