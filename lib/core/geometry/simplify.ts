import { length, type Ring } from './ring';

/**
 * Douglas and Peucker's simplification: no dropped point is further than `tolerance` pixels from the new border.
 * The two ends of the longest reach from the first point stay; never fewer than 3 points.
 */
export function simplifyRing(ring: Ring, tolerance: number): number[] {
  const count = ring.length / 2;
  if (count <= 3) return Array.from(ring);
  const far = farthestFrom(ring, 0);
  const kept = new Uint8Array(count + 1);
  kept[0] = 1;
  kept[far] = 1;
  keepFarPoints(ring, 0, far, tolerance, kept);
  keepFarPoints(ring, far, count, tolerance, kept);
  kept[count] = 0;
  if (kept.reduce((sum, flag) => sum + flag, 0) < 3) kept[farthestFromLine(ring, 0, far)] = 1;
  const simple: number[] = [];
  for (let i = 0; i < count; i++) if (kept[i]) simple.push(ring[2 * i] as number, ring[2 * i + 1] as number);
  return simple;
}

function farthestFrom(ring: Ring, from: number): number {
  let best = 0;
  let distance = -1;
  for (let i = 0; i < ring.length / 2; i++) {
    const dx = (ring[2 * i] as number) - (ring[2 * from] as number);
    const dy = (ring[2 * i + 1] as number) - (ring[2 * from + 1] as number);
    if (dx * dx + dy * dy > distance) {
      distance = dx * dx + dy * dy;
      best = i;
    }
  }
  return best;
}

/** Marks what must stay between two kept points; an explicit stack, as a ring may have 100,000 of them. */
function keepFarPoints(ring: Ring, first: number, last: number, tolerance: number, kept: Uint8Array): void {
  const stack = [first, last];
  while (stack.length > 0) {
    const to = stack.pop() as number;
    const from = stack.pop() as number;
    let worst = -1;
    let distance = tolerance;
    for (let i = from + 1; i < to; i++) {
      const d = distanceToSegment(ring, i, from, to);
      if (d > distance) {
        distance = d;
        worst = i;
      }
    }
    if (worst < 0) continue;
    kept[worst] = 1;
    stack.push(from, worst, worst, to);
  }
}

function farthestFromLine(ring: Ring, a: number, b: number): number {
  let best = -1;
  let distance = -1;
  for (let i = 0; i < ring.length / 2; i++) {
    if (i === a || i === b) continue;
    const d = distanceToSegment(ring, i, a, b);
    if (d > distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

/** Index `count` is the first point again. */
function distanceToSegment(ring: Ring, point: number, from: number, to: number): number {
  const a = 2 * from;
  const b = (2 * to) % ring.length;
  const px = (ring[2 * point] as number) - (ring[a] as number);
  const py = (ring[2 * point + 1] as number) - (ring[a + 1] as number);
  const dx = (ring[b] as number) - (ring[a] as number);
  const dy = (ring[b + 1] as number) - (ring[a + 1] as number);
  const squared = dx * dx + dy * dy;
  const t = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
  return length(px - t * dx, py - t * dy);
}
