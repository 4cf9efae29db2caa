import type { Box } from '@/lib/core/geometry';
import { MaskError } from './errors';
import { settle } from './kernel';
import type { Mask } from './mask';
import { Scratch } from './scratch';

const stretched = new Scratch();
const rows = new Scratch();
const places = new Scratch();

/**
 * The toggles of a mask when it is read row by row instead of column by column, as most formats do; of a box only, which
 * must hold the whole foreground. A row toggles at every pixel that differs from its left neighbour, so the work grows
 * with the outline and no pixel is painted.
 */
export function rowToggles(mask: Mask, box: Box = [0, 0, mask.width, mask.height]): Uint32Array {
  const [left, top, width, height] = box;
  const stretches = differingFromLeft(mask);
  // How many toggles each row has, then where its next one goes.
  const next = rows.zeros(height + 1);
  for (let i = 0; i < stretches.length; i += 3) {
    const x = (stretches[i] as number) - left;
    const from = (stretches[i + 1] as number) - top;
    const to = (stretches[i + 2] as number) - top;
    if (x < 0 || x > width || from < 0 || to > height)
      throw new MaskError('bad-argument', 'box', `[${box.join(', ')}] does not hold the whole mask`);
    next[from] = (next[from] as number) + 1;
    next[to] = (next[to] as number) - 1;
  }
  let count = 0;
  for (let row = 0, open = 0; row < height; row++) {
    // Sums of differences: below zero is a large number here, and the sum comes out right.
    open = (open + (next[row] as number)) | 0;
    next[row] = count;
    count += open;
  }
  const positions = places.take(count);
  for (let i = 0; i < stretches.length; i += 3) {
    const to = (stretches[i + 2] as number) - top;
    let row = (stretches[i + 1] as number) - top;
    for (let position = row * width + (stretches[i] as number) - left; row < to; row++) {
      const at = next[row] as number;
      positions[at] = position;
      next[row] = at + 1;
      position += width;
    }
  }
  return settle(positions, count, width * height);
}

/** Larger than every position. */
const NONE = 2 ** 31 - 1;

/**
 * The stretches of pixels that differ from their left neighbour: column, first row, row behind the last. The left
 * neighbour of position p is p − height: the mask is compared with itself, moved by a column.
 */
function differingFromLeft({ height, width, toggles }: Mask): Uint32Array {
  // The last toggle is a border only where the mask ends with foreground.
  const count = toggles.length - (toggles.length % 2);
  // Every other border begins a stretch, and each column may cut one in two.
  const found = stretched.take(3 * (count + width + 1));
  let kept = 0;
  let x = 0;
  let base = 0;
  let start = -1;
  for (let own = 0, moved = 0; moved < count; ) {
    const here = own < count ? (toggles[own] as number) : NONE;
    const there = (toggles[moved] as number) + height;
    if (here <= there) own++;
    if (there <= here) moved++;
    if (here === there) continue;
    const border = Math.min(here, there);
    if (start < 0) {
      start = border;
      continue;
    }
    while (start < border) {
      while (start >= base + height) {
        base += height;
        x++;
      }
      const end = Math.min(border, base + height);
      found[kept++] = x;
      found[kept++] = start - base;
      found[kept++] = end - base;
      start = end;
    }
    start = -1;
  }
  return found.subarray(0, kept);
}
