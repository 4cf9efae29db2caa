import {
  area,
  boundaryFScore,
  boundaryIou,
  decodeCounts,
  dilate,
  encodeCounts,
  fromBitmap,
  hash,
  hausdorff95,
  intersection,
  iou,
  type Mask,
  rasterizePolygons,
  rasterizeStroke,
  sizeAwareScore,
  toBitmap,
  toRegions,
  union,
} from '@/lib/core/mask';
import { kernel } from '@/lib/core/mask/kernel';
import { bitmapCase, pairCase, polygonCase } from './cases';

/** Results of everything that computes in floating point or in WebAssembly, over many of the fixture's cases. */
export function digest(): { path: string; masks: number[]; scores: number[] } {
  const masks: number[] = [];
  const scores: number[] = [];
  for (let i = 0; i < 1500; i++) {
    const { ring, height, width } = polygonCase(i);
    const mask = rasterizePolygons([ring], height, width);
    masks.push(hash(mask), hash(decodeCounts(encodeCounts(mask), height, width)), area(mask));
  }
  for (let i = 0; i < 300; i++) {
    const { bytes, height, width } = bitmapCase(i);
    const mask = fromBitmap(bytes, height, width);
    masks.push(hash(mask), hash(fromBitmap(toBitmap(mask), height, width)), toRegions(mask).length);
  }
  for (let i = 0; i < 150; i++) {
    const { objects, height, width } = pairCase(i);
    const [a, b] = objects.map((rings) => rasterizePolygons(rings, height, width)) as [Mask, Mask];
    const stroke = rasterizeStroke((objects[0] as number[][])[0] as number[], 2.7, height, width);
    masks.push(hash(union(a, b)), hash(intersection(a, b)), hash(stroke), hash(dilate(a, 2.5)));
    scores.push(
      iou(a, b),
      boundaryIou(a, b),
      boundaryFScore(a, b, 2),
      hausdorff95(a, b),
      sizeAwareScore(a, b),
    );
  }
  return { path: kernel().name, masks, scores };
}
