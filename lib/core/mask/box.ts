import type { Box } from '@/lib/core/geometry';
import type { Mask } from './mask';
import { rasterizePolygons } from './polygon';

/** A box is the polygon of its four corners, as in COCO. */
export function rasterizeBox(box: Box, height: number, width: number): Mask {
  const [x, y, w, h] = box;
  return rasterizePolygons([[x, y, x, y + h, x + w, y + h, x + w, y]], height, width);
}
