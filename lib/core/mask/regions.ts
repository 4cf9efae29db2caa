import { simplifyRing } from '@/lib/core/geometry';
import { invert, merge, union } from './algebra';
import { iou } from './compare';
import { kernel } from './kernel';
import { type ColumnSpans, columnSpans, emptyMask, type Mask, MaskError, RunBuilder } from './mask';
import { rasterizePolygonWithHoles } from './polygon';

/**
 * One area connected through pixel sides, as rings along pixel corners: rasterising them gives exactly its pixels.
 * Outer rings run clockwise on screen, holes counter-clockwise.
 */
export type Region = {
  readonly outer: readonly number[];
  readonly holes: readonly (readonly number[])[];
  /** The region in one of whose holes this one lies, as an index into the same list, or null. */
  readonly parent: number | null;
};

/** The mask as regions, in column-major order of their first pixel. The union of all is the mask. */
export function toRegions(mask: Mask): Region[] {
  return kernel().regions(mask);
}

/** Which neighbours hold together: those sharing a side (4), or also a corner (8). */
export type Connectivity = 4 | 8;

/** The connected parts, in column-major order of their first pixel. */
export function components(mask: Mask, connectivity: Connectivity): Mask[] {
  checkConnectivity(connectivity);
  const { height, width } = mask;
  const spans = columnSpans(mask);
  const roots = connectSpans(spans, width, connectivity);
  const builders = new Map<number, RunBuilder>();
  for (let x = 0; x < width; x++)
    for (let i = spans.starts[x] as number; i < (spans.starts[x + 1] as number); i++) {
      const root = find(roots, i);
      let builder = builders.get(root);
      if (!builder) {
        builder = new RunBuilder();
        builders.set(root, builder);
      }
      builder.add(x * height + (spans.tops[i] as number), x * height + (spans.bottoms[i] as number));
    }
  return Array.from(builders.values(), (builder) => builder.build(height, width));
}

/** Fills the background that cannot reach the canvas border through pixel sides. */
export function fillHoles(mask: Mask): Mask {
  const { height, width } = mask;
  const spans = columnSpans(invert(mask));
  const roots = connectSpans(spans, width, 4);
  const outside = new Set<number>();
  forEachSpan(spans, width, (x, i) => {
    const touches = x === 0 || x === width - 1 || spans.tops[i] === 0 || spans.bottoms[i] === height;
    if (touches) outside.add(find(roots, i));
  });
  const holes = new RunBuilder();
  forEachSpan(spans, width, (x, i) => {
    if (!outside.has(find(roots, i)))
      holes.add(x * height + (spans.tops[i] as number), x * height + (spans.bottoms[i] as number));
  });
  return union(mask, holes.build(height, width));
}

/** Drops the connected parts of fewer than `minArea` pixels. */
export function removeSpecks(mask: Mask, minArea: number, connectivity: Connectivity): Mask {
  if (!(minArea >= 0))
    throw new MaskError('bad-argument', 'minArea', `an area is at least 0 pixels, got ${minArea}`);
  checkConnectivity(connectivity);
  const { height, width } = mask;
  const spans = columnSpans(mask);
  const roots = connectSpans(spans, width, connectivity);
  const areas = new Float64Array(roots.length);
  forEachSpan(spans, width, (_, i) => {
    const root = find(roots, i);
    areas[root] = (areas[root] as number) + (spans.bottoms[i] as number) - (spans.tops[i] as number);
  });
  const kept = new RunBuilder();
  forEachSpan(spans, width, (x, i) => {
    if ((areas[find(roots, i)] as number) >= minArea)
      kept.add(x * height + (spans.tops[i] as number), x * height + (spans.bottoms[i] as number));
  });
  return kept.build(height, width);
}

function forEachSpan(spans: ColumnSpans, width: number, visit: (x: number, index: number) => void): void {
  for (let x = 0; x < width; x++)
    for (let i = spans.starts[x] as number; i < (spans.starts[x + 1] as number); i++) visit(x, i);
}

/** Joins spans of neighbouring columns that overlap (or, for 8, touch at a corner) into trees of indices. */
function connectSpans(spans: ColumnSpans, width: number, connectivity: Connectivity): Uint32Array {
  const { starts, tops, bottoms } = spans;
  const slack = connectivity === 8 ? 1 : 0;
  const roots = Uint32Array.from(tops, (_, i) => i);
  for (let x = 1; x < width; x++) {
    let a = starts[x - 1] as number;
    let b = starts[x] as number;
    while (a < (starts[x] as number) && b < (starts[x + 1] as number)) {
      const overlap =
        Math.min(bottoms[a] as number, bottoms[b] as number) + slack >
        Math.max(tops[a] as number, tops[b] as number);
      if (overlap) join(roots, a, b);
      if ((bottoms[a] as number) < (bottoms[b] as number)) a++;
      else b++;
    }
  }
  return roots;
}

function find(roots: Uint32Array, index: number): number {
  let root = index;
  while (roots[root] !== root) {
    roots[root] = roots[roots[root] as number] as number;
    root = roots[root] as number;
  }
  return root;
}

/** The smaller index stays the root, so parts come out in order of their first pixel. */
function join(roots: Uint32Array, a: number, b: number): void {
  const rootA = find(roots, a);
  const rootB = find(roots, b);
  if (rootA < rootB) roots[rootB] = rootA;
  else roots[rootA] = rootB;
}

function checkConnectivity(connectivity: number): void {
  if (connectivity !== 4 && connectivity !== 8)
    throw new MaskError('bad-argument', 'connectivity', `connectivity is 4 or 8, got ${connectivity}`);
}

/** The borders of a mask as the path data of an SVG in pixels of the image; to be filled by the even-odd rule. */
export function outlinePath(mask: Mask): string {
  return toRegions(mask)
    .flatMap((region) => [region.outer, ...region.holes])
    .map(ringPath)
    .join('');
}

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return `M${points.join('L')}Z`;
}

/** Halvings of the tolerance interval; after these the tolerance is within 1/4096 of the largest that fits. */
const HALVINGS = 12;

/** The mask that regions cover. */
export function rasterizeRegions(
  regions: readonly Pick<Region, 'outer' | 'holes'>[],
  height: number,
  width: number,
): Mask {
  if (regions.length === 0) return emptyMask(height, width);
  return merge(regions.map(({ outer, holes }) => rasterizePolygonWithHoles(outer, holes, height, width)));
}

/** Regions with fewer points whose rasterisation has an IoU of at least 1 − `maxIouLoss` with the mask. */
export function simplifiedRegions(mask: Mask, maxIouLoss: number): Region[] {
  if (!(maxIouLoss >= 0 && maxIouLoss < 1))
    throw new MaskError('bad-argument', 'maxIouLoss', `a loss is at least 0 and under 1, got ${maxIouLoss}`);
  const exact = toRegions(mask);
  let best = exact;
  let fits = 0;
  let tooFar = Math.max(mask.height, mask.width);
  for (let i = 0; i < HALVINGS && exact.length > 0; i++) {
    // Small tolerances matter most: halve on a square-root scale.
    const tolerance = ((Math.sqrt(fits) + Math.sqrt(tooFar)) / 2) ** 2;
    const candidate = exact.map((region) => simplifiedRegion(region, tolerance));
    if (iou(rasterizeRegions(candidate, mask.height, mask.width), mask) >= 1 - maxIouLoss) {
      best = candidate;
      fits = tolerance;
    } else tooFar = tolerance;
  }
  return best;
}

function simplifiedRegion(region: Region, tolerance: number): Region {
  return {
    outer: simplifyRing(region.outer, tolerance),
    holes: region.holes.map((hole) => simplifyRing(hole, tolerance)),
    parent: region.parent,
  };
}
