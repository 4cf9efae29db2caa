import { checkSameSize, type Mask } from './mask';
import { boundingBox, isEmpty } from './measure';
import { innerBoundary } from './morphology';
import { columnSpans } from './runs';

/**
 * The 95th percentile (linear interpolation) of the distances in pixels from one border to the other, the larger
 * of both directions. Two empty masks: 0. One empty: the canvas diagonal, which no real distance exceeds.
 */
export function hausdorff95(a: Mask, b: Mask): number {
  checkSameSize(a, b);
  if (isEmpty(a) || isEmpty(b))
    return isEmpty(a) && isEmpty(b) ? 0 : Math.sqrt(a.height * a.height + a.width * a.width);
  const borderA = borderPixels(a);
  const borderB = borderPixels(b);
  const frame = commonFrame(a, b);
  return Math.max(
    percentile95(distances(borderA, borderB, frame)),
    percentile95(distances(borderB, borderA, frame)),
  );
}

type Pixels = { readonly xs: Uint32Array; readonly ys: Uint32Array };
type Frame = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

function borderPixels(mask: Mask): Pixels {
  const border = innerBoundary(mask);
  const { starts, tops, bottoms } = columnSpans(border);
  const xs: number[] = [];
  const ys: number[] = [];
  for (let x = 0; x < border.width; x++)
    for (let i = starts[x] as number; i < (starts[x + 1] as number); i++)
      for (let y = tops[i] as number; y < (bottoms[i] as number); y++) {
        xs.push(x);
        ys.push(y);
      }
  return { xs: Uint32Array.from(xs), ys: Uint32Array.from(ys) };
}

function commonFrame(a: Mask, b: Mask): Frame {
  const [ax, ay, aw, ah] = boundingBox(a);
  const [bx, by, bw, bh] = boundingBox(b);
  const x = Math.min(ax, bx);
  const y = Math.min(ay, by);
  return { x, y, width: Math.max(ax + aw, bx + bw) - x, height: Math.max(ay + ah, by + bh) - y };
}

function distances(from: Pixels, to: Pixels, frame: Frame): Float64Array {
  const squared = squaredDistances(to, frame);
  return Float64Array.from(from.xs, (x, i) =>
    Math.sqrt(squared[(x - frame.x) * frame.height + (from.ys[i] as number) - frame.y] as number),
  );
}

/** Squared distance of every pixel of the frame (column-major) to the nearest of `seeds`. */
function squaredDistances(seeds: Pixels, { x: left, y: top, width, height }: Frame): Float64Array {
  // Further than any distance inside the frame, and still exact when squared.
  const far = width + height;
  const vertical = new Float64Array(width * height).fill(far);
  seeds.xs.forEach((x, i) => {
    vertical[(x - left) * height + (seeds.ys[i] as number) - top] = 0;
  });
  for (let x = 0; x < width; x++) {
    const base = x * height;
    for (let y = 1; y < height; y++)
      vertical[base + y] = Math.min(vertical[base + y] as number, (vertical[base + y - 1] as number) + 1);
    for (let y = height - 2; y >= 0; y--)
      vertical[base + y] = Math.min(vertical[base + y] as number, (vertical[base + y + 1] as number) + 1);
  }
  const squared = new Float64Array(width * height);
  for (let y = 0; y < height; y++) lowerEnvelope(vertical, squared, y, width, height);
  return squared;
}

/** One row of Felzenszwalb and Huttenlocher's transform: the lower envelope of parabolas, one per column. */
function lowerEnvelope(
  vertical: Float64Array,
  squared: Float64Array,
  y: number,
  width: number,
  height: number,
) {
  const value = (x: number) => (vertical[x * height + y] as number) ** 2;
  const apexes = new Int32Array(width);
  const borders = new Float64Array(width + 1);
  let last = 0;
  borders[0] = Number.NEGATIVE_INFINITY;
  for (let x = 1; x < width; x++) {
    let meeting = 0;
    for (; last >= 0; last--) {
      const apex = apexes[last] as number;
      meeting = (value(x) + x * x - value(apex) - apex * apex) / (2 * (x - apex));
      if (meeting > (borders[last] as number)) break;
    }
    apexes[++last] = x;
    borders[last] = meeting;
  }
  borders[last + 1] = Number.POSITIVE_INFINITY;
  for (let x = 0, k = 0; x < width; x++) {
    while ((borders[k + 1] as number) < x) k++;
    const apex = apexes[k] as number;
    squared[x * height + y] = (x - apex) ** 2 + value(apex);
  }
}

function percentile95(values: Float64Array): number {
  const sorted = values.sort();
  const rank = 0.95 * (sorted.length - 1);
  const below = sorted[Math.floor(rank)] as number;
  const above = sorted[Math.ceil(rank)] as number;
  return below + (above - below) * (rank - Math.floor(rank));
}
