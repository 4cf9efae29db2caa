import type { Path } from '@/lib/core/geometry';
import { merge } from './algebra';
import { checkSize, emptyMask, MAX_COORDINATE, type Mask, MaskError } from './mask';
import { checkPairs } from './polygon';

/** The pixels whose centre lies within `radius` of the polyline: round caps and joints. One point is a dot. */
export function rasterizeStroke(path: Path, radius: number, height: number, width: number): Mask {
  checkSize(height, width);
  checkPairs(path, 'points');
  if (path.length < 2) throw new MaskError('too-few-points', 'points', 'a stroke needs at least 1 point');
  if (!(radius > 0 && radius <= MAX_COORDINATE))
    throw new MaskError(
      'bad-argument',
      'radius',
      `a radius must be over 0 and at most ${MAX_COORDINATE}, got ${radius}`,
    );
  const capsules: Mask[] = [];
  const last = Math.max(path.length - 4, 0);
  for (let i = 0; i <= last; i += 2) {
    const to = path.length === 2 ? 0 : i + 2;
    capsules.push(
      rasterizeCapsule(
        path[i] as number,
        path[i + 1] as number,
        path[to] as number,
        path[to + 1] as number,
        radius,
        height,
        width,
      ),
    );
  }
  return merge(capsules);
}

function rasterizeCapsule(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  radius: number,
  height: number,
  width: number,
): Mask {
  const left = Math.max(0, Math.floor(Math.min(ax, bx) - radius - 0.5));
  const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx) + radius - 0.5));
  if (right < left) return emptyMask(height, width);
  const toggles = new Uint32Array(2 * (right - left + 1) + 1);
  const within = distanceTest(ax, ay, bx, by, radius);
  let count = 0;
  for (let x = left; x <= right; x++) {
    const span = capsuleSpan(ax, ay, bx, by, radius, x + 0.5);
    if (!span) continue;
    // The span is good to a rounding error; the distance test decides about the pixels at its ends.
    let top = Math.max(0, Math.floor(span[0] - 0.5));
    let bottom = Math.min(height - 1, Math.ceil(span[1] - 0.5));
    while (top <= bottom && !within(x + 0.5, top + 0.5)) top++;
    while (bottom >= top && !within(x + 0.5, bottom + 0.5)) bottom--;
    if (bottom < top) continue;
    const first = x * height + top;
    if (count > 0 && toggles[count - 1] === first) count--;
    else toggles[count++] = first;
    toggles[count++] = x * height + bottom + 1;
  }
  const end = height * width;
  if (count === 0 || toggles[count - 1] !== end) toggles[count++] = end;
  return { height, width, toggles: toggles.slice(0, count) };
}

/** Where the vertical line at x cuts the capsule, as [top, bottom], or nothing. The capsule is convex. */
function capsuleSpan(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  radius: number,
  x: number,
): [number, number] | undefined {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  const widen = (from: number, to: number) => {
    if (from > to) return;
    top = Math.min(top, from);
    bottom = Math.max(bottom, to);
  };
  const discs: [number, number][] = [
    [ax, ay],
    [bx, by],
  ];
  for (const [cx, cy] of discs) {
    const square = radius * radius - (x - cx) * (x - cx);
    if (square >= 0) widen(cy - Math.sqrt(square), cy + Math.sqrt(square));
  }
  const dx = bx - ax;
  const dy = by - ay;
  const length = Math.sqrt(dx * dx + dy * dy);
  if (dx !== 0) {
    // Between the two parallel sides, at distance radius of the line …
    const middle = ay + (dy * (x - ax)) / dx;
    const half = Math.abs((radius * length) / dx);
    let from = middle - half;
    let to = middle + half;
    // … and between the two ends.
    if (dy !== 0) {
      const endA = ay - (dx * (x - ax)) / dy;
      const endB = by - (dx * (x - bx)) / dy;
      from = Math.max(from, Math.min(endA, endB));
      to = Math.min(to, Math.max(endA, endB));
    } else if (x < Math.min(ax, bx) || x > Math.max(ax, bx)) to = from - 1;
    widen(from, to);
  } else if (Math.abs(x - ax) <= radius) widen(Math.min(ay, by), Math.max(ay, by));
  return top <= bottom ? [top, bottom] : undefined;
}

function distanceTest(ax: number, ay: number, bx: number, by: number, radius: number) {
  const dx = bx - ax;
  const dy = by - ay;
  const squaredLength = dx * dx + dy * dy;
  const squaredRadius = radius * radius;
  return (px: number, py: number): boolean => {
    const along = squaredLength > 0 ? ((px - ax) * dx + (py - ay) * dy) / squaredLength : 0;
    const t = Math.min(1, Math.max(0, along));
    const ex = px - (ax + t * dx);
    const ey = py - (ay + t * dy);
    return ex * ex + ey * ey <= squaredRadius;
  };
}
