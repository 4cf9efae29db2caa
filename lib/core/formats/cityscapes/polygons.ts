import { components, type Mask, type Region, toRegions } from '@/lib/core/mask';
import { RunBuilder } from '@/lib/core/mask/mask';
import { paintMap } from '../codecs/paint';
import { splitLabelMap } from '../shared/part-layers';

type Point = readonly [x: number, y: number];

export interface StreetPolygon {
  label: string;
  polygon: Point[];
}

/** What is visible of an object or a stuff region. Masks of one image do not overlap. */
export interface VisibleRegion {
  label: string;
  mask: Mask;
  /** Readers count polygons: exactly one polygon is written if possible. */
  isCounted: boolean;
}

export interface StreetDrawing {
  polygons: StreetPolygon[];
  /** The counted regions in the order of their polygons, which is how readers number them. */
  order: VisibleRegion[];
  /** Counted regions that needed several polygons, because others lie between their pieces on every side. */
  splitCount: number;
}

const BACKGROUND = 'unlabeled';

/**
 * Draws regions as polygons that readers of Cityscapes paint in order, with a fill that includes the border. Every
 * polygon is one object for them, so the pieces of an object are joined by seams one pixel wide. A seam may cross
 * whatever is painted later: objects that come later in the order, and stuff and background, which are repaired at
 * the end by polygons that no reader counts.
 */
export function drawRegions(regions: readonly VisibleRegion[], width: number, height: number): StreetDrawing {
  const owner = paintMap(
    regions.map(({ mask }, index) => ({ mask, value: index + 1 })),
    width,
    height,
    32,
  );
  const counted = regions.flatMap((region, index) => (region.isCounted ? [index] : []));
  const { order, seams, splitCount } = connectRegions(regions, counted, owner, width, height);
  const crossed = new Set([...seams.values()].flat());
  const stuff = regions.filter(({ isCounted }) => !isCounted);
  return {
    polygons: [
      ...stuff.flatMap(({ label, mask }) => polygonsOf(label, mask)),
      ...order.flatMap((index) => {
        const { label, mask } = regions[index] as VisibleRegion;
        return polygonsOf(label, withPixels(mask, seams.get(index) ?? []));
      }),
      ...repairs(regions, crossed, owner, width, height),
    ],
    order: order.map((index) => regions[index] as VisibleRegion),
    splitCount,
  };
}

/**
 * Orders the counted regions and finds the seams of each, as row-major pixels. Works backwards: the last region to be
 * painted can only cross stuff and background, and every earlier one also those placed after it.
 */
function connectRegions(
  regions: readonly VisibleRegion[],
  counted: readonly number[],
  owner: Int32Array,
  width: number,
  height: number,
) {
  const isOpen = regions.map(({ isCounted }) => !isCounted);
  const pieces = new Map(
    counted.map((index) => [index, components((regions[index] as VisibleRegion).mask, 4)]),
  );
  const seams = new Map<number, number[]>();
  const order: number[] = [];
  let waiting = [...counted].reverse();
  let splitCount = 0;
  const place = (index: number, seam: number[]) => {
    seams.set(index, seam);
    order.unshift(index);
    isOpen[index] = true;
    waiting = waiting.filter((other) => other !== index);
  };
  for (const index of waiting) if ((pieces.get(index)?.length ?? 0) < 2) place(index, []);
  while (waiting.length > 0) {
    let isStuck = true;
    for (const index of waiting) {
      const seam = findSeams(pieces.get(index) ?? [], index, isOpen, owner, width, height);
      if (!seam) continue;
      place(index, seam);
      isStuck = false;
      break;
    }
    if (!isStuck) continue;
    // Objects enclose each other's pieces. Rare enough to give up on one of them.
    place(waiting[0] as number, []);
    splitCount += 1;
  }
  return { order, seams, splitCount };
}

/** Finds short paths that join all pieces over open pixels, or null. Grows all pieces at once, like a Voronoi diagram. */
function findSeams(
  pieces: readonly Mask[],
  index: number,
  isOpen: readonly boolean[],
  owner: Int32Array,
  width: number,
  height: number,
): number[] | null {
  const nearest = new Int32Array(width * height).fill(-1);
  const previous = new Int32Array(width * height).fill(-1);
  const queue = new Int32Array(width * height);
  let end = 0;
  paintMap(
    pieces.map((mask, piece) => ({ mask, value: piece + 1 })),
    width,
    height,
    32,
  ).forEach((value, pixel) => {
    if (value === 0) return;
    nearest[pixel] = value - 1;
    queue[end++] = pixel;
  });
  const roots = pieces.map((_, piece) => piece);
  const find = (piece: number): number => {
    let at = piece;
    while (roots[at] !== at) at = roots[at] as number;
    return at;
  };
  const path: number[] = [];
  const trace = (from: number) => {
    for (let pixel = from; previous[pixel] !== -1; pixel = previous[pixel] as number) path.push(pixel);
  };
  let open = pieces.length - 1;
  for (let at = 0; at < end && open > 0; at++) {
    const pixel = queue[at] as number;
    const x = pixel % width;
    for (const step of [x > 0 ? -1 : 0, x < width - 1 ? 1 : 0, -width, width]) {
      const next = pixel + step;
      if (step === 0 || next < 0 || next >= owner.length) continue;
      if (nearest[next] === -1) {
        const owning = owner[next] as number;
        if (owning !== 0 && owning !== index + 1 && !isOpen[owning - 1]) continue;
        nearest[next] = nearest[pixel] as number;
        previous[next] = pixel;
        queue[end++] = next;
        continue;
      }
      const [a, b] = [find(nearest[pixel] as number), find(nearest[next] as number)];
      if (a === b) continue;
      roots[a] = b;
      open -= 1;
      trace(pixel);
      trace(next);
    }
  }
  return open === 0 ? path : null;
}

/** Paints stuff and background again where seams crossed them. */
function repairs(
  regions: readonly VisibleRegion[],
  crossed: ReadonlySet<number>,
  owner: Int32Array,
  width: number,
  height: number,
): StreetPolygon[] {
  const damage = new Int32Array(width * height);
  for (const pixel of crossed) {
    const region = regions[(owner[pixel] as number) - 1];
    if (!region?.isCounted) damage[pixel] = (owner[pixel] as number) + 1;
  }
  return [...splitLabelMap(damage, width, height)].flatMap(([value, mask]) =>
    polygonsOf(regions[value - 2]?.label ?? BACKGROUND, mask),
  );
}

function withPixels(mask: Mask, pixels: readonly number[]): Mask {
  if (pixels.length === 0) return mask;
  const { width, height } = mask;
  const map = paintMap([{ mask, value: 1 }], width, height, 8);
  for (const pixel of pixels) map[pixel] = 1;
  const builder = new RunBuilder();
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++)
      if (map[y * width + x] === 1) builder.add(x * height + y, x * height + y + 1);
  return builder.build(height, width);
}

/** One polygon for each piece, through the middle of its outermost pixels; holes are reached by seams within the piece. */
const polygonsOf = (label: string, mask: Mask): StreetPolygon[] =>
  toRegions(mask).map((region) => ({ label, polygon: joinHoles(region, mask) }));

function joinHoles({ outer, holes }: Region, mask: Mask): Point[] {
  const rings = [throughPixels(outer), ...holes.map((hole) => throughPixels(hole))];
  if (rings.length === 1) return rings[0] as Point[];
  const filled = paintMap([{ mask, value: 1 }], mask.width, mask.height, 8);
  const seams = rings.slice(1).map((ring) => {
    const start = topmost(ring);
    const [x, y] = ring[start] as Point;
    // The pixel above the last filled one is outside, so the seam ends on the border of another ring.
    let top = y;
    while (top > 0 && filled[(top - 1) * mask.width + x] === 1) top--;
    return { start, from: [x, y] as Point, to: [x, top] as Point, parent: -1, edge: -1 };
  });
  const tops = rings.map((ring) => (ring[topmost(ring)] as Point)[1]);
  for (const seam of seams)
    rings.forEach((ring, index) => {
      // Of several rings through the pixel the one that reaches highest: parents then never form a cycle.
      const highest = seam.parent < 0 ? seam.from[1] : (tops[seam.parent] as number);
      if ((tops[index] as number) >= highest) return;
      const edge = ring.findIndex((point, i) =>
        isBetween(seam.to, point, ring[(i + 1) % ring.length] as Point),
      );
      if (edge < 0) return;
      seam.parent = index;
      seam.edge = edge;
    });
  const walk = (index: number, start: number): Point[] => {
    const ring = rings[index] as Point[];
    return ring.flatMap((_, offset) => {
      const edge = (start + offset) % ring.length;
      const point = ring[edge] as Point;
      const children = seams
        .map((seam, hole) => ({ ...seam, hole }))
        .filter((seam) => seam.parent === index && seam.edge === edge)
        .sort((a, b) => distance(point, a.to) - distance(point, b.to));
      return [
        point,
        ...children.flatMap(({ hole, start: first, from, to }) => [to, ...walk(hole + 1, first), from, to]),
      ];
    });
  };
  return walk(0, 0);
}

const distance = (a: Point, b: Point): number => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);

/** Whether a point is on the level or upright edge between two others. */
const isBetween = ([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): boolean =>
  x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);

const topmost = (ring: readonly Point[]): number =>
  ring.reduce((best, point, index) => (point[1] < (ring[best] as Point)[1] ? index : best), 0);

/**
 * Moves a ring along pixel corners into the pixels on its right, which are those of the region for outer rings and for
 * holes: an edge that runs left or down has them on the lower side of its coordinate.
 */
function throughPixels(ring: readonly number[]): Point[] {
  const count = ring.length / 2;
  const at = (i: number) => {
    const k = ((i + count) % count) * 2;
    return [ring[k] as number, ring[k + 1] as number] as const;
  };
  return Array.from({ length: count }, (_, i) => {
    const [before, here, after] = [at(i - 1), at(i), at(i + 1)];
    const [flat, steep] =
      before[1] === here[1]
        ? [here[0] - before[0], after[1] - here[1]]
        : [after[0] - here[0], here[1] - before[1]];
    return [steep > 0 ? here[0] - 1 : here[0], flat > 0 ? here[1] : here[1] - 1];
  });
}
