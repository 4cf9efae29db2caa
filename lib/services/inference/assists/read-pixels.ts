import sharp from 'sharp';
import type { Size } from './frame';

/** Red, green, blue bytes of the whole picture, stretched to a size. */
export async function readPixels(bytes: Uint8Array, { width, height }: Size): Promise<Buffer> {
  return sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
}
