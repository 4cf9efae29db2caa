import { type Bounds, boundsOf, type Outline, type Point } from './curves';
import type { Finish, Layer, Mark } from './figure';
import type { Tone } from './palette';

/** A layer in image pixels. Its rings are the only geometry: the picture and the truth both come from them. */
export interface PlacedLayer {
  rings: number[][];
  tags: readonly string[];
  tone: Tone;
  finish: Finish;
  marks: PlacedMark[];
  /** Index of the instance it belongs to; an occluder belongs to none. */
  instance: number | undefined;
}

export interface PlacedMark extends Omit<Mark, 'points' | 'width'> {
  line: number[];
  width: number;
}

export interface Pose {
  /** Pixels per unit. */
  scale: number;
  facing: 1 | -1;
  /** Radians. */
  turn: number;
  /** The unit point that lands on (x, y). */
  pivot: Point;
  x: number;
  y: number;
}

/** Two decimals: what the SVG text can say is what the mask is made from. */
const toPixel = (value: number) => Math.round(value * 100) / 100;

function placePoints(points: Outline, pose: Pose): number[] {
  const [cos, sin] = [Math.cos(pose.turn), Math.sin(pose.turn)];
  return points.flatMap(([px, py]) => {
    const x = (px - pose.pivot[0]) * pose.facing * pose.scale;
    const y = (py - pose.pivot[1]) * pose.scale;
    return [toPixel(pose.x + x * cos - y * sin), toPixel(pose.y + x * sin + y * cos)];
  });
}

/** Twice the signed area. */
function winding(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += (ring[i] ?? 0) * (ring[j + 1] ?? 0) - (ring[j] ?? 0) * (ring[i + 1] ?? 0);
  }
  return sum;
}

function reversed(ring: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) out.push(ring[i] ?? 0, ring[i + 1] ?? 0);
  return out;
}

/** Rings of one layer wind the same way, so that the picture's non-zero fill is the union that the mask takes. */
export function placeLayer(layer: Layer, pose: Pose, instance: number | undefined): PlacedLayer {
  const rings = layer.outlines.map((outline) => {
    const ring = placePoints(outline, pose);
    return winding(ring) < 0 ? reversed(ring) : ring;
  });
  const marks = (layer.marks ?? []).map(({ points, width, ...mark }) => ({
    ...mark,
    line: placePoints(points, pose),
    width: toPixel((width ?? 0) * pose.scale),
  }));
  return { rings, tags: layer.tags, tone: layer.tone, finish: layer.finish, marks, instance };
}

export function layerBounds(layers: readonly Layer[]): Bounds {
  return boundsOf(layers.flatMap((layer) => layer.outlines));
}

export function ringBounds(rings: readonly (readonly number[])[]): Bounds {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      bounds.left = Math.min(bounds.left, ring[i] ?? 0);
      bounds.right = Math.max(bounds.right, ring[i] ?? 0);
      bounds.top = Math.min(bounds.top, ring[i + 1] ?? 0);
      bounds.bottom = Math.max(bounds.bottom, ring[i + 1] ?? 0);
    }
  }
  return bounds;
}
