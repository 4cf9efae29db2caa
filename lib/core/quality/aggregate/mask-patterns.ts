import { area, boundingBox, type Mask, MaskError, union } from '@/lib/core/mask';
import { checkSameSize, RunBuilder } from '@/lib/core/mask/mask';

/** More drawings than bits of a number cannot be told apart. */
const MAX_DRAWINGS = 30;

/**
 * Stretches of pixels, in order of position, on which the same people drew; `who` has bit w set for drawing w. Pixels
 * that nobody drew are in none. All methods need of a picture is how many pixels have which pattern.
 */
export interface Patterns {
  readonly height: number;
  readonly width: number;
  readonly drawings: number;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly who: Uint32Array;
  /** Pattern → pixels. */
  readonly pixels: ReadonlyMap<number, number>;
  /** Pixels of the box around all drawings that nobody drew: the background that counts. */
  readonly background: number;
}

export function patternsOf(masks: readonly Mask[]): Patterns {
  const [first] = masks;
  if (!first || masks.length > MAX_DRAWINGS)
    throw new MaskError(
      'bad-argument',
      'masks',
      `1 to ${MAX_DRAWINGS} masks can be merged, got ${masks.length}`,
    );
  for (const mask of masks) checkSameSize(first, mask);
  const { from, to, who } = sweep(masks);
  const pixels = new Map<number, number>();
  let drawn = 0;
  for (let i = 0; i < who.length; i++) {
    const count = (to[i] as number) - (from[i] as number);
    pixels.set(who[i] as number, (pixels.get(who[i] as number) ?? 0) + count);
    drawn += count;
  }
  const background = boxOfAll(masks) - drawn;
  return {
    height: first.height,
    width: first.width,
    drawings: masks.length,
    from,
    to,
    who,
    pixels,
    background,
  };
}

/** Walks through all toggles at once, in order of position. */
function sweep(masks: readonly Mask[]) {
  const most = masks.reduce((sum, mask) => sum + mask.toggles.length, 0);
  const from = new Uint32Array(most);
  const to = new Uint32Array(most);
  const who = new Uint32Array(most);
  const next = new Uint32Array(masks.length);
  let count = 0;
  let position = 0;
  let pattern = 0;
  const end = (masks[0] as Mask).height * (masks[0] as Mask).width;
  while (position < end) {
    let at = end;
    for (let w = 0; w < masks.length; w++) at = Math.min(at, toggle(masks, w, next));
    if (pattern !== 0 && at > position) {
      from[count] = position;
      to[count] = at;
      who[count++] = pattern;
    }
    for (let w = 0; w < masks.length; w++) {
      while (toggle(masks, w, next) === at && (next[w] as number) < (masks[w] as Mask).toggles.length) {
        next[w] = (next[w] as number) + 1;
        pattern ^= 1 << w;
      }
    }
    position = at;
  }
  return { from: from.subarray(0, count), to: to.subarray(0, count), who: who.subarray(0, count) };
}

const toggle = (masks: readonly Mask[], w: number, next: Uint32Array): number =>
  (masks[w] as Mask).toggles[next[w] as number] ?? Infinity;

/**
 * The background is bounded by the box around all drawings, a tenth larger on every side: in the whole picture the
 * agreement on what is far from the object would make every worker look perfect.
 */
function boxOfAll(masks: readonly Mask[]): number {
  const [first, ...others] = masks as [Mask, ...Mask[]];
  const all = others.reduce((sum, mask) => union(sum, mask), first);
  if (area(all) === 0) return 0;
  const [x, y, width, height] = boundingBox(all);
  const [dx, dy] = [Math.ceil(width / 10), Math.ceil(height / 10)];
  const across = Math.min(first.width, x + width + dx) - Math.max(0, x - dx);
  const down = Math.min(first.height, y + height + dy) - Math.max(0, y - dy);
  return across * down;
}

/** The mask of all pixels whose pattern is chosen. */
export function maskOfPatterns(
  { height, width, from, to, who }: Patterns,
  isIn: (who: number) => boolean,
): Mask {
  const builder = new RunBuilder();
  for (let i = 0; i < who.length; i++)
    if (isIn(who[i] as number)) builder.add(from[i] as number, to[i] as number);
  return builder.build(height, width);
}

export const drew = (pattern: number, drawing: number): boolean => (pattern & (1 << drawing)) !== 0;

export interface MergedMask {
  readonly mask: Mask;
  /** By drawing, how much it was believed; null where all count the same. */
  readonly weight: Float64Array | null;
  readonly iterations: number;
}

/** Keeps pixels with a probability of at least one half. Ties are kept, because somebody drew them. */
export const likelyPixels = (patterns: Patterns, probability: ReadonlyMap<number, number>): Mask =>
  maskOfPatterns(patterns, (who) => (probability.get(who) ?? 0) >= 0.5);

export const MAX_ITERATIONS = 100;
export const TOLERANCE = 1e-6;
