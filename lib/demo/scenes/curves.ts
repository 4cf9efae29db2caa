/** Outlines in a figure's own units, y downwards; curves are flattened here, once, for picture and mask alike. */
export type Point = readonly [x: number, y: number];
export type Outline = readonly Point[];
/** A point of a limb's centre line with half the limb's width there. */
export type Joint = readonly [x: number, y: number, radius: number];

/** Straight pieces per curve span: below a quarter of a pixel of error at 640 px. */
const STEPS = 7;

function spline(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const a = 2 * p1;
  const b = p2 - p0;
  const c = 2 * p0 - 5 * p1 + 4 * p2 - p3;
  const d = -p0 + 3 * p1 - 3 * p2 + p3;
  return 0.5 * (a + t * (b + t * (c + t * d)));
}

const at = <T>(items: readonly T[], index: number): T => items[index] as T;

/** A smooth closed outline through the points (Catmull-Rom). */
export function blob(points: readonly Point[]): Outline {
  const n = points.length;
  const out: Point[] = [];
  for (let i = 0; i < n; i++) {
    const [p0, p1, p2, p3] = [-1, 0, 1, 2].map((k) => at(points, (i + k + n) % n)) as [
      Point,
      Point,
      Point,
      Point,
    ];
    for (let s = 0; s < STEPS; s++) {
      const t = s / STEPS;
      out.push([spline(p0[0], p1[0], p2[0], p3[0], t), spline(p0[1], p1[1], p2[1], p3[1], t)]);
    }
  }
  return out;
}

function smoothJoints(joints: readonly Joint[]): Joint[] {
  const n = joints.length;
  const clamp = (i: number) => at(joints, Math.min(n - 1, Math.max(0, i)));
  const out: Joint[] = [];
  for (let i = 0; i < n - 1; i++) {
    const [p0, p1, p2, p3] = [clamp(i - 1), clamp(i), clamp(i + 1), clamp(i + 2)];
    for (let s = 0; s < STEPS; s++) {
      const t = s / STEPS;
      const along = (k: 0 | 1 | 2) => spline(p0[k], p1[k], p2[k], p3[k], t);
      out.push([along(0), along(1), Math.max(0.05, along(2))]);
    }
  }
  out.push(clamp(n - 1));
  return out;
}

function arc([x, y, r]: Joint, from: number, turn: number): Point[] {
  return [0.25, 0.5, 0.75].map(
    (t): Point => [x + r * Math.cos(from + turn * t), y + r * Math.sin(from + turn * t)],
  );
}

/** A rounded band along a smooth centre line: legs, necks, tails, horns, snakes. */
export function limb(joints: readonly Joint[]): Outline {
  const line = smoothJoints(joints);
  const left: Point[] = [];
  const right: Point[] = [];
  const angles = line.map((_, i) => {
    const before = at(line, Math.max(0, i - 1));
    const after = at(line, Math.min(line.length - 1, i + 1));
    return Math.atan2(after[1] - before[1], after[0] - before[0]);
  });
  line.forEach(([x, y, r], i) => {
    const normal = at(angles, i) + Math.PI / 2;
    left.push([x + r * Math.cos(normal), y + r * Math.sin(normal)]);
    right.push([x - r * Math.cos(normal), y - r * Math.sin(normal)]);
  });
  const tip = arc(at(line, line.length - 1), at(angles, angles.length - 1) + Math.PI / 2, -Math.PI);
  const root = arc(at(line, 0), at(angles, 0) - Math.PI / 2, -Math.PI);
  return [...left, ...tip, ...right.reverse(), ...root];
}

export function ellipse(cx: number, cy: number, rx: number, ry = rx, turn = 0, steps = 28): Outline {
  return Array.from({ length: steps }, (_, i): Point => {
    const angle = (2 * Math.PI * i) / steps;
    const [x, y] = [rx * Math.cos(angle), ry * Math.sin(angle)];
    return [cx + x * Math.cos(turn) - y * Math.sin(turn), cy + x * Math.sin(turn) + y * Math.cos(turn)];
  });
}

/** A ring with a hole as one outline: out along the rim, back along the hole, joined by a seam of no width. */
export function hoop(cx: number, cy: number, outer: number, inner: number): Outline {
  const circle = (r: number, sign: number) =>
    Array.from({ length: 37 }, (_, i): Point => {
      const angle = (sign * 2 * Math.PI * i) / 36;
      return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
    });
  return [...circle(outer, 1), ...circle(inner, -1)];
}

/** A polygon whose corners are rounded by up to `radius`. */
export function rounded(corners: readonly Point[], radius: number): Outline {
  const n = corners.length;
  return corners.flatMap((corner, i) => {
    const before = at(corners, (i + n - 1) % n);
    const after = at(corners, (i + 1) % n);
    const start = towards(corner, before, radius);
    const end = towards(corner, after, radius);
    return [0, 0.25, 0.5, 0.75, 1].map((t): Point => {
      const u = 1 - t;
      return [0, 1].map(
        (k) => u * u * at(start, k) + 2 * u * t * at(corner, k) + t * t * at(end, k),
      ) as unknown as Point;
    });
  });
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const t = Math.min(distance / length, 0.5);
  return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t];
}

/** Corners written as "x,y x,y …": tables of outlines stay readable. */
export function corners(text: string): Point[] {
  return text.split(' ').map((pair) => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return [x, y];
  });
}

export function box(x: number, y: number, width: number, height: number, radius = 0): Outline {
  const corners: Point[] = [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
  return radius > 0 ? rounded(corners, radius) : corners;
}

export interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boundsOf(outlines: readonly Outline[]): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const outline of outlines) {
    for (const [x, y] of outline) {
      if (x < bounds.left) bounds.left = x;
      if (x > bounds.right) bounds.right = x;
      if (y < bounds.top) bounds.top = y;
      if (y > bounds.bottom) bounds.bottom = y;
    }
  }
  return bounds;
}
