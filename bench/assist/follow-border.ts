import { type EdgeCosts, Livewire } from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';
import { landing } from './hand';

/** Steps between the places of the true outline that are tried as the next click, in image pixels. */
const STEP = 4;
/** From one click to the next at most: farther than this nobody can see a wire through. */
const REACH = 240;

/**
 * From each click the pointer goes on along the true outline while the wire keeps within the tolerance of it, and
 * clicks at the last place where it does.
 */
export function followBorder(edges: EdgeCosts, ring: readonly number[], tolerance: number) {
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
