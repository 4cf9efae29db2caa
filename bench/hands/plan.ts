import { findRingFault, type Point, type Ring, simplifyRing } from '@/lib/core/geometry';
import {
  boundingBox,
  components,
  crop,
  difference,
  dilate,
  intersection,
  iou,
  isEmpty,
  type Mask,
  merge,
  rasterizeRegions,
  toRegions,
  union,
} from '@/lib/core/mask';

/** What a drawing has to reach, and a little more, because the hand shakes. */
const ENOUGH = 0.9 + 0.02;
/** Coarsest first, in image pixels. */
const TOLERANCES = [32, 24, 16, 12, 8, 6, 4, 3, 2, 1.5, 1, 0.5];
/** Further tolerances that may need fewer vertices after some have been left out. */
const FINER = 2;

interface Outline {
  readonly outer: readonly number[];
  readonly holes: readonly (readonly number[])[];
}

/** How somebody means to draw a part: the vertices of its pieces. */
export type Plan = { readonly outer: readonly Point[]; readonly holes: readonly (readonly Point[])[] }[];

/**
 * The fewest vertices that are enough, as far as leaving them out one by one finds them. What is `covered` by other parts
 * is subtracted from the drawing, so the outline may run anywhere in there.
 */
export function planOf(truth: Mask, covered?: Mask): Plan {
  const near = dilate(truth, 3);
  const touching = covered
    ? components(covered, 8).filter((piece) => !isEmpty(intersection(piece, near)))
    : [];
  // Nothing else matters.
  const frame = boundingBox(merge([truth, ...touching]));
  const cut = (mask: Mask) => crop(mask, frame);
  const part = cut(truth);
  const others = touching.length > 0 ? cut(merge(touching)) : undefined;
  const isEnough = (outlines: readonly Outline[]): boolean => {
    const drawn = rasterizeRegions(outlines.map(toRegion), part.height, part.width);
    return iou(others ? difference(drawn, others) : drawn, part) >= ENOUGH;
  };
  let best: readonly Outline[] | undefined;
  for (const shape of shapesOf(part, touching.map(cut))) {
    const exact = toRegions(shape);
    let left = FINER + 1;
    for (const tolerance of TOLERANCES) {
      const outlines = exact.map(
        ({ outer, holes }): Outline => ({
          outer: simplifyRing(outer, tolerance),
          holes: holes.map((hole) => simplifyRing(hole, tolerance)),
        }),
      );
      if (!isEnough(outlines)) continue;
      const fewer = leaveOut(outlines, isEnough);
      if (!best || countOf(fewer) < countOf(best)) best = fewer;
      if (--left === 0) break;
    }
  }
  const [left, top] = frame;
  const place = (ring: readonly number[]) => pointsOf(ring).map(([x, y]): Point => [x + left, y + top]);
  return (best ?? toRegions(part)).map(({ outer, holes }) => ({
    outer: place(outer),
    holes: holes.map(place),
  }));
}

const toRegion = ({ outer, holes }: Outline) => ({ outer, holes, parent: null });

/** Vertices, and for every ring the keys that it takes. */
const countOf = (outlines: readonly Outline[]): number =>
  outlines.reduce(
    (sum, { outer, holes }) =>
      sum + outer.length / 2 + holes.reduce((all, hole) => all + hole.length / 2 + 1, 1),
    0,
  );

/** Other pieces tried one by one. */
const MAX_PIECES = 6;

/** The part itself, with all other parts that touch it, and with each of them: the outline may enclose them. */
function shapesOf(part: Mask, touching: readonly Mask[]): Mask[] {
  if (touching.length === 0) return [part];
  const each = touching.length > 1 ? touching.slice(0, MAX_PIECES).map((piece) => union(part, piece)) : [];
  return [part, merge([part, ...touching]), ...each];
}

/** Leaves out vertex by vertex, and whole rings, where the rest is still enough. */
function leaveOut(outlines: readonly Outline[], isEnough: (outlines: readonly Outline[]) => boolean) {
  let now = outlines;
  for (;;) {
    const fewer = candidates(now).find((next) => isEnough(next));
    if (!fewer) return now;
    now = fewer;
  }
}

function* rings(outlines: readonly Outline[]) {
  for (const [i, { outer, holes }] of outlines.entries()) {
    yield { ring: outer, put: (ring: readonly number[] | undefined) => replace(outlines, i, ring, holes) };
    for (const [j] of holes.entries())
      yield {
        ring: holes[j] as readonly number[],
        put: (ring: readonly number[] | undefined) =>
          replace(outlines, i, outer, ring ? holes.with(j, ring) : holes.toSpliced(j, 1)),
      };
  }
}

function replace(
  outlines: readonly Outline[],
  i: number,
  outer: readonly number[] | undefined,
  holes: readonly (readonly number[])[],
): readonly Outline[] {
  return outer ? outlines.with(i, { outer, holes }) : outlines.toSpliced(i, 1);
}

function candidates(outlines: readonly Outline[]): (readonly Outline[])[] {
  const found: { cost: number; next: readonly Outline[] }[] = [];
  for (const { ring, put } of rings(outlines)) {
    const without = put(undefined);
    if (without.length > 0) found.push({ cost: Math.abs(areaOf(ring)), next: without });
    if (ring.length <= 6) continue;
    for (let at = 0; at < ring.length; at += 2) {
      const rest = [...ring.slice(0, at), ...ring.slice(at + 2)];
      if (findRingFault(Float64Array.from(rest))) continue;
      found.push({ cost: Math.abs(areaOf(ring) - areaOf(rest)), next: put(rest) });
    }
  }
  return found.toSorted((a, b) => a.cost - b.cost).map(({ next }) => next);
}

function areaOf(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += (ring[i] as number) * (ring[j + 1] as number) - (ring[j] as number) * (ring[i + 1] as number);
  }
  return sum / 2;
}

const pointsOf = (ring: Ring): Point[] =>
  Array.from(
    { length: ring.length / 2 },
    (_, i): Point => [ring[2 * i] as number, ring[2 * i + 1] as number],
  );
