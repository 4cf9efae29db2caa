import { area, boundingBox, difference, intersection, isEmpty } from './algebra';
import { FIRST, kernel, MEAN, type RatioBase, UNION } from './kernel';
import { checkSameSize, columnSpans, type Mask, MaskError } from './mask';
import { dilate, erodeSquare, innerBoundary } from './morphology';

/** Number of pixels in both masks. */
export function intersectionArea(a: Mask, b: Mask): number {
  checkSameSize(a, b);
  return kernel().overlap(a.toggles, b.toggles);
}

/** Intersection over union in [0, 1]. Two empty masks agree completely: 1. */
export function iou(a: Mask, b: Mask): number {
  return ratio(a, b, UNION, 1);
}

/** Twice the intersection over the sum of the areas, in [0, 1]. Two empty masks: 1. */
export function dice(a: Mask, b: Mask): number {
  return ratio(a, b, MEAN, 1);
}

/** Share of the answer's pixels that are right. An empty answer says nothing wrong: 1. */
export function precision(answer: Mask, truth: Mask): number {
  return ratio(answer, truth, FIRST, 1);
}

/** Share of the true pixels that the answer found. With nothing to find: 1. */
export function recall(answer: Mask, truth: Mask): number {
  return ratio(truth, answer, FIRST, 1);
}

/**
 * COCO's form: with `crowd`, the answer is measured against its own area only, so that any part of a crowd
 * region matches it. No common pixel gives 0, also for two empty masks.
 */
export function cocoIou(answer: Mask, truth: Mask, crowd = false): number {
  return ratio(answer, truth, crowd ? FIRST : UNION, 0);
}

function ratio(a: Mask, b: Mask, against: RatioBase, ofNothing: number): number {
  checkSameSize(a, b);
  const value = kernel().overlapRatio(a.toggles, b.toggles, against);
  return Number.isNaN(value) ? ofNothing : value;
}

/**
 * COCO's form for all pairs: row per answer, column per truth, in one array of answers.length · truths.length.
 * `crowd[j]` says that truth j is a crowd region.
 */
export function iouMatrix(
  answers: readonly Mask[],
  truths: readonly Mask[],
  crowd: readonly boolean[] = [],
): Float64Array {
  if (crowd.length > 0 && crowd.length !== truths.length)
    throw new MaskError('bad-argument', 'crowd', `${crowd.length} crowd marks for ${truths.length} masks`);
  const [first] = [...answers, ...truths];
  if (!first) return new Float64Array(0);
  for (const mask of answers) checkSameSize(first, mask);
  for (const mask of truths) checkSameSize(first, mask);
  const toggles = (mask: Mask) => mask.toggles;
  return kernel().iouMatrix(answers.map(toggles), truths.map(toggles), first.height, crowd);
}

/** Boundary IoU's default: the band is 2 % of the image diagonal wide (Cheng et al., CVPR 2021). */
const BAND_SHARE = 0.02;

/**
 * IoU of the two inner bands of `bandPixels` along the borders (Cheng et al., CVPR 2021). Two empty masks: 1,
 * one empty: 0.
 */
export function boundaryIou(a: Mask, b: Mask, bandPixels = defaultBand(a)): number {
  checkSameSize(a, b);
  if (!Number.isInteger(bandPixels) || bandPixels < 1)
    throw new MaskError(
      'bad-argument',
      'bandPixels',
      `a band is whole pixels of at least 1, got ${bandPixels}`,
    );
  const band = (mask: Mask) => difference(mask, erodeSquare(mask, bandPixels));
  return iou(band(a), band(b));
}

function defaultBand({ height, width }: Mask): number {
  return Math.max(1, Math.round(BAND_SHARE * Math.sqrt(height * height + width * width)));
}

/**
 * Harmonic mean of the shares of either border that lie within `tolerance` pixels of the other's border.
 * Two empty masks: 1, one empty: 0.
 */
export function boundaryFScore(answer: Mask, truth: Mask, tolerance: number): number {
  checkSameSize(answer, truth);
  const answered = innerBoundary(answer);
  const wanted = innerBoundary(truth);
  const answeredLength = area(answered);
  const wantedLength = area(wanted);
  if (answeredLength === 0 || wantedLength === 0) return answeredLength === wantedLength ? 1 : 0;
  const precision = area(intersection(answered, dilate(wanted, tolerance))) / answeredLength;
  const recall = area(intersection(wanted, dilate(answered, tolerance))) / wantedLength;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

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
