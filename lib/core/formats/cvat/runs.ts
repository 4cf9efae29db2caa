import type { Box } from '@/lib/core/geometry';
import { fromBitmap, type Mask, pad, rowToggles } from '@/lib/core/mask';
import type { Utf8Writer } from '../codecs/utf8-writer';

const [COMMA, BLANK] = [44, 32];

/** CVAT's runs: row by row within the box, background first, as numbers between commas. */
export function writeBoxRuns(to: Utf8Writer, mask: Mask, box: Box): void {
  const toggles = rowToggles(mask, box);
  let before = 0;
  for (let i = 0; i < toggles.length; i++) {
    const end = toggles[i] as number;
    if (i > 0) to.byte(COMMA).byte(BLANK);
    to.integer(end - before);
    before = end;
  }
}

export function maskOfRuns(
  text: string,
  box: { left: number; top: number; width: number; height: number },
  size: { width: number; height: number },
): Mask {
  const { left, top, width, height } = box;
  if (![left, top, width, height].every(Number.isInteger) || width < 1 || height < 1 || left < 0 || top < 0)
    throw new Error('has a box that cannot be meant');
  if (left + width > size.width || top + height > size.height) throw new Error('lies outside of its image');
  const pixels = new Uint8Array(width * height);
  let at = 0;
  let value = 0;
  for (const piece of text.split(',')) {
    const run = Number(piece);
    if (!Number.isInteger(run) || run < 0 || at + run > pixels.length)
      throw new Error('has runs that do not add up to its box');
    if (value) pixels.fill(1, at, at + run);
    at += run;
    value = 1 - value;
  }
  if (at !== pixels.length) throw new Error('has runs that do not add up to its box');
  const right = size.width - left - width;
  const bottom = size.height - top - height;
  return pad(fromBitmap(pixels, height, width), { left, top, right, bottom });
}
