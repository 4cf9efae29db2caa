import { type Mask, toBitmap } from '@/lib/mask';

/** Right, down, left, up: the boundary is walked with the area on the right hand. */
const STEP = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** Outer outlines of the visible area along pixel edges, thinned to `tolerance` pixels, largest first. */
export function outlinesOf(mask: Mask, tolerance: number): number[][] {
  const { height, width } = mask;
  const bits = toBitmap(mask);
  const seen = new Uint8Array(bits.length);
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && bits[y * width + x] === 1;
  const rings: number[][] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (bits[y * width + x] !== 1 || seen[y * width + x] === 1) continue;
      flood(bits, seen, x, y, width, height);
      rings.push(simplify(trace(x, y, inside), tolerance));
    }
  }
  return rings.filter((ring) => ring.length >= 6).sort((a, b) => b.length - a.length);
}

/** Marks a 4-connected component as seen. */
function flood(
  bits: Uint8Array,
  seen: Uint8Array,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  const stack = [y * width + x];
  seen[y * width + x] = 1;
  while (stack.length > 0) {
    const at = stack.pop() as number;
    const column = at % width;
    for (const next of [
      column > 0 ? at - 1 : -1,
      column < width - 1 ? at + 1 : -1,
      at - width,
      at + width < width * height ? at + width : -1,
    ]) {
      if (next >= 0 && bits[next] === 1 && seen[next] === 0) {
        seen[next] = 1;
        stack.push(next);
      }
    }
  }
}

/** Walks the outer boundary of the component whose first pixel in reading order is (x, y). */
function trace(startX: number, startY: number, inside: (x: number, y: number) => boolean): number[] {
  const ring: number[] = [];
  let [x, y, heading] = [startX, startY, 0];
  do {
    ring.push(x, y);
    const [dx, dy] = STEP[heading] as (typeof STEP)[number];
    x += dx;
    y += dy;
    // The pixel ahead on the left, then the one ahead on the right, of the corner just reached.
    const aheadLeft = [inside(x, y - 1), inside(x, y), inside(x - 1, y), inside(x - 1, y - 1)][heading];
    const aheadRight = [inside(x, y), inside(x - 1, y), inside(x - 1, y - 1), inside(x, y - 1)][heading];
    if (!aheadRight) heading = (heading + 1) % 4;
    else if (aheadLeft) heading = (heading + 3) % 4;
  } while (x !== startX || y !== startY || heading !== 0);
  return ring;
}

/** Douglas-Peucker on a closed ring, cut at its first point and the point farthest from it. */
function simplify(ring: readonly number[], tolerance: number): number[] {
  const count = ring.length / 2;
  const px = (i: number) => ring[2 * (i % count)] as number;
  const py = (i: number) => ring[2 * (i % count) + 1] as number;
  let far = 0;
  let reach = -1;
  for (let i = 1; i < count; i++) {
    const distance = (px(i) - px(0)) ** 2 + (py(i) - py(0)) ** 2;
    if (distance > reach) [far, reach] = [i, distance];
  }
  const keep = new Set([0, far]);
  const spans: Array<[number, number]> = [
    [0, far],
    [far, count],
  ];
  while (spans.length > 0) {
    const [from, to] = spans.pop() as [number, number];
    const [dx, dy] = [px(to) - px(from), py(to) - py(from)];
    const length = Math.hypot(dx, dy) || 1;
    let [split, worst] = [-1, tolerance];
    for (let i = from + 1; i < to; i++) {
      const off = Math.abs(dx * (py(i) - py(from)) - dy * (px(i) - px(from))) / length;
      if (off > worst) [split, worst] = [i, off];
    }
    if (split >= 0) {
      keep.add(split);
      spans.push([from, split], [split, to]);
    }
  }
  return [...keep].sort((a, b) => a - b).flatMap((i) => [px(i), py(i)]);
}
