import type { Path, Ring } from '@/lib/core/geometry';
import { difference, union } from './algebra';
import { decodeCounts } from './codec';
import { MaskError } from './errors';
import { emptyMask, type Mask } from './mask';
import { rasterizePolygonWithHoles } from './polygon';
import { rasterizeStroke } from './stroke';

export type ShapeOp = 'add' | 'erase';

export type PolygonShape = {
  readonly kind: 'polygon';
  readonly op: ShapeOp;
  readonly outer: Ring;
  readonly holes: readonly Ring[];
};

/** `radius` in pixels. */
export type StrokeShape = {
  readonly kind: 'stroke';
  readonly op: ShapeOp;
  readonly points: Path;
  readonly radius: number;
};

/** A COCO RLE with its compressed string, from an import or an assist. */
export type BitmapShape = {
  readonly kind: 'bitmap';
  readonly op: ShapeOp;
  readonly size: readonly [height: number, width: number];
  readonly counts: string;
};

/** One step of a drawing. A drawing is a list of these in order. */
export type Shape = PolygonShape | StrokeShape | BitmapShape;

/** Replays a drawing: each shape adds to or erases from what the ones before it left. */
export function rasterizeShapes(shapes: readonly Shape[], height: number, width: number): Mask {
  let mask = emptyMask(height, width);
  shapes.forEach((shape, i) => {
    const one = within(`shapes[${i}]`, () => rasterizeShape(shape, height, width));
    mask = shape.op === 'erase' ? difference(mask, one) : union(mask, one);
  });
  return mask;
}

/** The area one shape covers, whatever its `op`. */
export function rasterizeShape(shape: Shape, height: number, width: number): Mask {
  if (shape.op !== 'add' && shape.op !== 'erase')
    throw new MaskError('bad-shape', 'op', `an op is 'add' or 'erase', got ${JSON.stringify(shape.op)}`);
  switch (shape.kind) {
    case 'polygon':
      return rasterizePolygonWithHoles(shape.outer, shape.holes, height, width);
    case 'stroke':
      return rasterizeStroke(shape.points, shape.radius, height, width);
    case 'bitmap':
      return rasterizeBitmapShape(shape, height, width);
    default:
      throw new MaskError('bad-shape', 'kind', `unknown kind ${JSON.stringify((shape as Shape).kind)}`);
  }
}

function rasterizeBitmapShape(shape: BitmapShape, height: number, width: number): Mask {
  const [h, w] = shape.size;
  if (h !== height || w !== width)
    throw new MaskError(
      'size-mismatch',
      'size',
      `a bitmap of ${h}×${w} does not fit a canvas of ${height}×${width}`,
    );
  return decodeCounts(shape.counts, height, width);
}

function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof MaskError)) throw error;
    throw error.inside(where);
  }
}
