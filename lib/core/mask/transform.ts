import type { Box } from '@/lib/core/geometry';
import { checkSize, columnSpans, type Mask, MaskError, RunBuilder } from './mask';

/** The part of the mask inside a box of whole pixels, which must lie on the canvas. */
export function crop(mask: Mask, box: Box): Mask {
  const [x, y, width, height] = box;
  if (!box.every(Number.isInteger))
    throw new MaskError('bad-argument', 'box', `a crop box needs whole pixels, got [${box.join(', ')}]`);
  checkSize(height, width, 'box');
  if (x < 0 || y < 0 || x + width > mask.width || y + height > mask.height)
    throw new MaskError(
      'bad-argument',
      'box',
      `[${box.join(', ')}] leaves the ${mask.height}×${mask.width} canvas`,
    );
  return place(mask, -x, -y, height, width);
}

/** Pixels of background to add on each side. */
export type Padding = {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
};

export function pad(mask: Mask, padding: Padding): Mask {
  for (const [side, pixels] of Object.entries(padding))
    if (!Number.isInteger(pixels) || pixels < 0)
      throw new MaskError(
        'bad-argument',
        `padding.${side}`,
        `padding is whole pixels of at least 0, got ${pixels}`,
      );
  const height = mask.height + padding.top + padding.bottom;
  const width = mask.width + padding.left + padding.right;
  checkSize(height, width);
  return place(mask, padding.left, padding.top, height, width);
}

/** Moves the foreground by whole pixels on a canvas of the same size; what leaves the canvas is gone. */
export function translate(mask: Mask, dx: number, dy: number): Mask {
  if (!Number.isInteger(dx) || !Number.isInteger(dy))
    throw new MaskError('bad-argument', 'offset', `a move is in whole pixels, got ${dx}, ${dy}`);
  return place(mask, dx, dy, mask.height, mask.width);
}

/** Left becomes right. */
export function flipHorizontal(mask: Mask): Mask {
  const { height, width } = mask;
  const { starts, tops, bottoms } = columnSpans(mask);
  const builder = new RunBuilder();
  for (let x = 0; x < width; x++) {
    const source = width - 1 - x;
    const base = x * height;
    for (let i = starts[source] as number; i < (starts[source + 1] as number); i++)
      builder.add(base + (tops[i] as number), base + (bottoms[i] as number));
  }
  return builder.build(height, width);
}

/** Top becomes bottom. */
export function flipVertical(mask: Mask): Mask {
  const { height, width } = mask;
  const { starts, tops, bottoms } = columnSpans(mask);
  const builder = new RunBuilder();
  for (let x = 0; x < width; x++) {
    const base = (x + 1) * height;
    for (let i = (starts[x + 1] as number) - 1; i >= (starts[x] as number); i--)
      builder.add(base - (bottoms[i] as number), base - (tops[i] as number));
  }
  return builder.build(height, width);
}

/** Nearest neighbour: a new pixel takes the old pixel in which its centre falls. */
export function scale(mask: Mask, height: number, width: number): Mask {
  checkSize(height, width);
  const { starts, tops, bottoms } = columnSpans(mask);
  // First new row whose centre lies at or below old row y, in integers: (2Y + 1) · old ≥ 2 · y · new.
  const firstRow = (y: number) => Math.ceil((2 * y * height - mask.height) / (2 * mask.height));
  const builder = new RunBuilder();
  for (let x = 0; x < width; x++) {
    const source = Math.floor(((2 * x + 1) * mask.width) / (2 * width));
    const base = x * height;
    for (let i = starts[source] as number; i < (starts[source + 1] as number); i++)
      builder.add(base + firstRow(tops[i] as number), base + firstRow(bottoms[i] as number));
  }
  return builder.build(height, width);
}

/**
 * Area average: a new pixel is foreground if at least half of the area that it covers is. In integers: an old pixel
 * spans `height` × `width` units and a new one `mask.height` × `mask.width`.
 */
export function scaleByArea(mask: Mask, height: number, width: number): Mask {
  checkSize(height, width);
  const { starts, tops, bottoms } = columnSpans(mask);
  const shares = new Float64Array(height * width);
  const rows = new Float64Array(height);
  for (let x = 0; x < mask.width; x++) {
    const [from, to] = [starts[x] as number, starts[x + 1] as number];
    if (from === to) continue;
    rows.fill(0);
    let first = height;
    let last = -1;
    for (let i = from; i < to; i++) {
      const top = (tops[i] as number) * height;
      const bottom = (bottoms[i] as number) * height;
      for (let y = Math.floor(top / mask.height); y * mask.height < bottom; y++) {
        const overlap = Math.min(bottom, (y + 1) * mask.height) - Math.max(top, y * mask.height);
        rows[y] = (rows[y] as number) + overlap;
        first = Math.min(first, y);
        last = Math.max(last, y);
      }
    }
    const left = x * width;
    const right = left + width;
    for (let column = Math.floor(left / mask.width); column * mask.width < right; column++) {
      const overlap = Math.min(right, (column + 1) * mask.width) - Math.max(left, column * mask.width);
      for (let y = first; y <= last; y++) {
        const at = column * height + y;
        shares[at] = (shares[at] as number) + overlap * (rows[y] as number);
      }
    }
  }
  const half = (mask.height * mask.width) / 2;
  const builder = new RunBuilder();
  for (let i = 0; i < shares.length; i++) if ((shares[i] as number) >= half) builder.add(i, i + 1);
  return builder.build(height, width);
}

function place(mask: Mask, dx: number, dy: number, height: number, width: number): Mask {
  const { toggles } = mask;
  const builder = new RunBuilder(toggles.length);
  let x = 0;
  let base = 0;
  for (let i = 1; i < toggles.length; i += 2) {
    const to = toggles[i] as number;
    for (let from = toggles[i - 1] as number; from < to; ) {
      while (from >= base + mask.height) {
        base += mask.height;
        x++;
      }
      const end = Math.min(to, base + mask.height);
      const column = x + dx;
      if (column >= 0 && column < width)
        builder.add(
          column * height + Math.max(0, from - base + dy),
          column * height + Math.min(height, end - base + dy),
        );
      from = end;
    }
  }
  return builder.build(height, width);
}
