/** Douglas and Peucker for an open path: both ends stay, no dropped point is over `tolerance` away. */
export function simplifyPath(path: ArrayLike<number>, tolerance: number): Float64Array {
  const count = path.length / 2;
  if (count <= 2) return Float64Array.from(path);
  const kept = new Uint8Array(count);
  kept[0] = 1;
  kept[count - 1] = 1;
  const open = [0, count - 1];
  while (open.length > 0) {
    const to = open.pop() as number;
    const from = open.pop() as number;
    const far = farthest(path, from, to, tolerance);
    if (far < 0) continue;
    kept[far] = 1;
    open.push(from, far, far, to);
  }
  return Float64Array.from(path).filter((_, i) => kept[i >> 1] === 1);
}

/** Index of the point farthest from the segment, or −1 when all are within the tolerance. */
function farthest(path: ArrayLike<number>, from: number, to: number, tolerance: number): number {
  const ax = path[2 * from] as number;
  const ay = path[2 * from + 1] as number;
  const dx = (path[2 * to] as number) - ax;
  const dy = (path[2 * to + 1] as number) - ay;
  const squared = dx * dx + dy * dy;
  let best = -1;
  let distance = tolerance;
  for (let i = from + 1; i < to; i++) {
    const px = (path[2 * i] as number) - ax;
    const py = (path[2 * i + 1] as number) - ay;
    const t = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
    const d = Math.hypot(px - t * dx, py - t * dy);
    if (d > distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}
