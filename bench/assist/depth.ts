import type { Point } from '@/lib/core/geometry';
import { type Mask, toBitmap } from '@/lib/core/mask';

/** Of each pixel of the mask, how far it is to what is not of the mask, in thirds of a pixel (chamfer 3-4). */
export function depths(mask: Mask): Int32Array {
  const { width, height } = mask;
  const inside = toBitmap(mask);
  const depth = new Int32Array(width * height);
  const at = (x: number, y: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (depth[y * width + x] as number);
  const settle = (x: number, y: number, step: 1 | -1) => {
    const i = y * width + x;
    if (!inside[i]) return;
    const best = Math.min(
      at(x - step, y) + 3,
      at(x, y - step) + 3,
      at(x - step, y - step) + 4,
      at(x + step, y - step) + 4,
    );
    depth[i] = step === 1 ? best : Math.min(best, depth[i] as number);
  };
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) settle(x, y, 1);
  for (let y = height - 1; y >= 0; y--) for (let x = width - 1; x >= 0; x--) settle(x, y, -1);
  return depth;
}

/** The place that is deepest inside: where a person clicks who means this area. */
export function deepest(mask: Mask): Point {
  const depth = depths(mask);
  let best = 0;
  for (let i = 1; i < depth.length; i++) if ((depth[i] as number) > (depth[best] as number)) best = i;
  return [(best % mask.width) + 0.5, Math.floor(best / mask.width) + 0.5];
}

/** A stroke from the deepest place to one that is far from it and still well inside. */
export function strokeInside(mask: Mask): Point[] {
  const depth = depths(mask);
  const from = deepest(mask);
  let best = -1;
  let to = from;
  for (let i = 0; i < depth.length; i++) {
    const place: Point = [(i % mask.width) + 0.5, Math.floor(i / mask.width) + 0.5];
    const worth = (depth[i] as number) * Math.hypot(place[0] - from[0], place[1] - from[1]);
    if (worth <= best) continue;
    best = worth;
    to = place;
  }
  return [from, to];
}
