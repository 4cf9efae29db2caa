import { type PaintLayer, paintBriefly } from '../paint';
import { encodeTiff } from './tiff';

/**
 * A label map as the part-model code reads it. Its own script writes such files uncompressed; every reader built on
 * libtiff, as that of the code is, takes them packed, and a dataset is then not mostly zeros on the disk.
 */
export const packedMap = (layers: readonly PaintLayer[], width: number, height: number): Uint8Array =>
  encodeTiff({ width, height, pixels: paintBriefly(layers, width, height), compression: 'packbits' });

/** The code looks at one pixel to see whether there is a mask: below zero there is none. */
export const noMap = (width: number, height: number): Uint8Array =>
  encodeTiff({ width, height, pixels: new Int32Array(width * height).fill(-1), compression: 'packbits' });
