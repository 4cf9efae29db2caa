import { type EdgeCosts, edgeCosts, Livewire, type Luminance } from '@/lib/core/editor';
import { type Point, simplifyRing } from '@/lib/core/geometry';
import { iou, type Region, rasterizeRegions, toRegions } from '@/lib/core/mask';
import type { Target } from './targets';
import { type Effort, landing, nothingDone, type Trial } from './trial';

/** Coarsest first, in image pixels: the fewest clicks that are enough are looked for. */
const TOLERANCES = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1.5, 1, 0.5];

/** What is drawn of a true outline, with how many clicks and how long the machine took for it. */
type Draw = (
  ring: readonly number[],
  tolerance: number,
) => { drawn: number[]; clicks: number; computeMs: number };

/** Straight lines between clicks, which stand where they are worth most. */
export function polygonTrial(target: Target): Trial {
  return fewestClicks(target, byHand);
}

/** A livewire, clicked where it would otherwise leave the border. */
export function livewireTrial(target: Target): Trial {
  const edges = edgeCosts(luminanceOf(target));
  return fewestClicks(target, (ring, tolerance) => {
    const followed = followBorder(edges, ring, tolerance);
    // Round something tiny a wire has no use.
    return followed.clicks < 3 ? byHand(ring, tolerance) : followed;
  });
}

const byHand: Draw = (ring, tolerance) => {
  const clicks = pointsOf(simplifyRing(ring, tolerance)).map(landing);
  return { drawn: clicks.flat(), clicks: clicks.length, computeMs: 0 };
};

function fewestClicks({ truth }: Target, draw: Draw): Trial {
  const regions = toRegions(truth);
  let last: Trial = { effort: nothingDone, iou: 0 };
  for (const tolerance of TOLERANCES) {
    const effort = { ...nothingDone };
    const drawn = regions.map((region) => drawRegion(region, tolerance, draw, effort));
    last = { effort, iou: iou(rasterizeRegions(drawn, truth.height, truth.width), truth) };
    if (last.iou >= 0.9) return last;
  }
  return last;
}

function drawRegion(region: Region, tolerance: number, draw: Draw, effort: Effort) {
  const [outer, ...holes] = [region.outer, ...region.holes].map((ring) => {
    const { drawn, clicks, computeMs } = draw(ring, tolerance);
    effort.clicks += clicks;
    effort.keys += 1;
    effort.computeMs += computeMs;
    return drawn;
  });
  return { outer: outer ?? [], holes };
}

function pointsOf(ring: readonly number[]): Point[] {
  return Array.from({ length: ring.length / 2 }, (_, i) => [
    ring[2 * i] as number,
    ring[2 * i + 1] as number,
  ]);
}

function luminanceOf({ rgba, width, height }: Target): Luminance {
  const data = Uint8Array.from({ length: width * height }, (_, i) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(4 * i, 4 * i + 3);
    return (77 * red + 150 * green + 29 * blue) >> 8;
  });
  return { data, width, height };
}

/** Steps between the places of the true outline that are tried as the next click, in image pixels. */
const STEP = 4;
/** From one click to the next at most: farther than this nobody can see a wire through. */
const REACH = 240;

/**
 * From each click the pointer goes on along the true outline while the wire keeps within the tolerance of it, and
 * clicks at the last place where it does.
 */
function followBorder(edges: EdgeCosts, ring: readonly number[], tolerance: number) {
  const border = walk(ring);
  const drawn: number[] = [];
  let clicks = 0;
  let computeMs = 0;
  for (let at = 0; at < border.length; clicks++) {
    const from = landing(border[at] as Point);
    const { to, path } = farthest(new Livewire(edges, from), border, at, tolerance);
    computeMs += timeOfClick(edges, from, path);
    drawn.push(...path);
    at = to;
  }
  return { drawn, clicks, computeMs };
}

/** A new wire from the click, as far as the next one. */
function timeOfClick(edges: EdgeCosts, from: Point, path: ArrayLike<number>): number {
  const started = performance.now();
  new Livewire(edges, from).pathTo([path[path.length - 2] as number, path[path.length - 1] as number]);
  return performance.now() - started;
}

function farthest(wire: Livewire, border: readonly Point[], at: number, tolerance: number) {
  const next = Math.min(border.length, at + 1);
  let best = { to: next, path: wire.pathTo(landing(border[next % border.length] as Point)) };
  for (let to = at + 2; to <= Math.min(border.length, at + REACH / STEP); to++) {
    const path = wire.pathTo(landing(border[to % border.length] as Point));
    if (keepsTo(path, border.slice(at, to + 1), tolerance)) best = { to, path };
  }
  return best;
}

/** Of a path without its last point, which is where the hand put it. */
function keepsTo(path: ArrayLike<number>, border: readonly Point[], tolerance: number): boolean {
  for (let i = 0; i + 3 < path.length; i += 2) {
    const [x, y] = [path[i] as number, path[i + 1] as number];
    if (!border.some(([bx, by]) => Math.hypot(bx - x, by - y) <= tolerance + STEP / 2)) return false;
  }
  return true;
}

/** Places along the ring, evenly apart. */
function walk(ring: readonly number[]): Point[] {
  const places: Point[] = [];
  let left = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const a: Point = [ring[i] as number, ring[i + 1] as number];
    const b: Point = [ring[(i + 2) % ring.length] as number, ring[(i + 3) % ring.length] as number];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    for (; left < length; left += STEP)
      places.push([a[0] + ((b[0] - a[0]) * left) / length, a[1] + ((b[1] - a[1]) * left) / length]);
    left -= length;
  }
  return places;
}
