import { type Box, type Point, pointInRing, type Ring, ringBounds } from '@/lib/core/geometry';
import {
  boundingBox,
  decodeCounts,
  encodeCounts,
  type Mask,
  type PolygonShape,
  type Shape,
  translate,
} from '@/lib/core/mask';
import { onGrid } from './limits';

/** The shape with its points in typed arrays, as documents keep them. */
export function packShape(shape: Shape): Shape {
  switch (shape.kind) {
    case 'polygon':
      return {
        kind: 'polygon',
        ...stepOf(shape),
        outer: Float64Array.from(shape.outer),
        holes: shape.holes.map((hole) => Float64Array.from(hole)),
      };
    case 'stroke':
      return {
        kind: 'stroke',
        ...stepOf(shape),
        points: Float64Array.from(shape.points),
        radius: shape.radius,
      };
    case 'bitmap':
      return {
        kind: 'bitmap',
        ...stepOf(shape),
        size: [shape.size[0], shape.size[1]],
        counts: shape.counts,
      };
  }
}

/** The fields that all shapes share. The first instance is not named, so that old documents keep their bytes. */
const stepOf = ({ op, instance = 1 }: Shape) => ({ op, ...(instance > 1 && { instance }) });

/** The shape as the JSON of an answer: plain arrays, keys in a fixed order. */
export function plainShape(shape: Shape): Shape {
  switch (shape.kind) {
    case 'polygon':
      return {
        kind: 'polygon',
        ...stepOf(shape),
        outer: Array.from(shape.outer),
        holes: shape.holes.map((hole) => Array.from(hole)),
      };
    case 'stroke':
      return { kind: 'stroke', ...stepOf(shape), points: Array.from(shape.points), radius: shape.radius };
    case 'bitmap':
      return {
        kind: 'bitmap',
        ...stepOf(shape),
        size: [shape.size[0], shape.size[1]],
        counts: shape.counts,
      };
  }
}

/** Outer ring first, then the holes. */
export function ringsOf(polygon: PolygonShape): readonly Ring[] {
  return [polygon.outer, ...polygon.holes];
}

export function vertexCount(shape: Shape): number {
  switch (shape.kind) {
    case 'polygon':
      return ringsOf(shape).reduce((sum, ring) => sum + ring.length / 2, 0);
    case 'stroke':
      return shape.points.length / 2;
    case 'bitmap':
      return 0;
  }
}

const boundsCache = new WeakMap<Shape, Box>();

/** Remembered per shape: pointer moves ask for it for every shape on the image. */
export function shapeBounds(shape: Shape): Box {
  let bounds = boundsCache.get(shape);
  if (!bounds) {
    bounds = measureBounds(shape);
    boundsCache.set(shape, bounds);
  }
  return bounds;
}

function measureBounds(shape: Shape): Box {
  switch (shape.kind) {
    case 'polygon':
      return ringBounds(shape.outer);
    case 'stroke': {
      const [x, y, width, height] = ringBounds(shape.points);
      return [x - shape.radius, y - shape.radius, width + 2 * shape.radius, height + 2 * shape.radius];
    }
    case 'bitmap':
      return boundingBox(decodeCounts(shape.counts, shape.size[0], shape.size[1]));
  }
}

export function inBox([x, y]: Point, [left, top, width, height]: Box, reach = 0): boolean {
  return x >= left - reach && x <= left + width + reach && y >= top - reach && y <= top + height + reach;
}

export function boxesMeet(a: Box, b: Box): boolean {
  return a[0] <= b[0] + b[2] && b[0] <= a[0] + a[2] && a[1] <= b[1] + b[3] && b[1] <= a[1] + a[3];
}

/** Whether the shape covers the point. */
export function coversPoint(shape: Shape, point: Point): boolean {
  if (!inBox(point, shapeBounds(shape))) return false;
  const [x, y] = point;
  switch (shape.kind) {
    case 'polygon':
      return pointInRing(x, y, shape.outer) && !shape.holes.some((hole) => pointInRing(x, y, hole));
    case 'stroke':
      return nearPath(shape.points, point, shape.radius);
    case 'bitmap':
      return bitmapCovers(shape.counts, shape.size, Math.floor(x), Math.floor(y));
  }
}

function nearPath(path: ArrayLike<number>, [x, y]: Point, reach: number): boolean {
  for (let i = 0; i < path.length; i += 2) {
    const ax = path[i] as number;
    const ay = path[i + 1] as number;
    const dx = (path[i + 2] ?? ax) - ax;
    const dy = (path[i + 3] ?? ay) - ay;
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
    if (Math.hypot(ax + t * dx - x, ay + t * dy - y) <= reach) return true;
  }
  return false;
}

function bitmapCovers(counts: string, [height, width]: readonly [number, number], x: number, y: number) {
  return hasPixel(decodeCounts(counts, height, width), x, y);
}

/** Whether a mask covers the pixel; nothing lies outside of the canvas. */
export function hasPixel({ height, width, toggles }: Mask, x: number, y: number): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  return toggles.findIndex((end) => end > x * height + y) % 2 === 1;
}

/** Bitmaps move by whole pixels, and what leaves the image is cut off; everything else keeps its outside. */
export function movedShape(shape: Shape, dx: number, dy: number): Shape {
  switch (shape.kind) {
    case 'polygon':
      return {
        ...shape,
        outer: movedPoints(shape.outer, dx, dy),
        holes: shape.holes.map((hole) => movedPoints(hole, dx, dy)),
      };
    case 'stroke':
      return { ...shape, points: movedPoints(shape.points, dx, dy) };
    case 'bitmap': {
      const mask = decodeCounts(shape.counts, shape.size[0], shape.size[1]);
      return { ...shape, counts: encodeCounts(translate(mask, Math.round(dx), Math.round(dy))) };
    }
  }
}

function movedPoints(points: ArrayLike<number>, dx: number, dy: number): Float64Array {
  const stepX = onGrid(dx);
  const stepY = onGrid(dy);
  return Float64Array.from(points, (value, i) => value + (i % 2 === 0 ? stepX : stepY) + 0);
}
