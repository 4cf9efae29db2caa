import type { Path, Ring } from '@/lib/core/geometry';
import { difference, isEmpty, union } from './algebra';
import { decodeCounts } from './codec';
import { kernel } from './kernel';
import { checkSize, emptyMask, type Mask, MaskError } from './mask';
import { checkPolygons, rasterizePolygons, rasterizePolygonWithHoles } from './polygon';
import { rasterizeStroke } from './stroke';
import { instantiate, type WasmExports } from './wasm/instance';

export type ShapeOp = 'add' | 'erase';

/** What all shapes have in common. */
interface Step {
  readonly op: ShapeOp;
  /** The instance of the part that the shape belongs to, from 1. Undefined means 1. */
  readonly instance?: number;
}

export type PolygonShape = Step & {
  readonly kind: 'polygon';
  readonly outer: Ring;
  readonly holes: readonly Ring[];
};

/** `radius` in pixels. */
export type StrokeShape = Step & {
  readonly kind: 'stroke';
  readonly points: Path;
  readonly radius: number;
};

/** A COCO RLE with its compressed string, from an import or an assist. */
export type BitmapShape = Step & {
  readonly kind: 'bitmap';
  readonly size: readonly [height: number, width: number];
  readonly counts: string;
};

/** One step of a drawing. A drawing is a list of these in order. */
export type Shape = PolygonShape | StrokeShape | BitmapShape;

/**
 * Replays a drawing: each shape adds to or erases from what the earlier shapes of its instance left. The mask is the
 * union of all instances.
 */
export function rasterizeShapes(shapes: readonly Shape[], height: number, width: number): Mask {
  const [first = emptyMask(height, width), ...rest] = replay(shapes, height, width).values();
  return rest.reduce(union, first);
}

/**
 * Replays a drawing and returns the mask of each instance in ascending order, without empty ones. Several instances can
 * have at most `maxRuns` runs together, because each of them can be as large as the image.
 */
export function rasterizeInstances(
  shapes: readonly Shape[],
  height: number,
  width: number,
  { maxRuns = Infinity } = {},
): Mask[] {
  return [...replay(shapes, height, width, maxRuns)]
    .sort(([a], [b]) => a - b)
    .flatMap(([, mask]) => (isEmpty(mask) ? [] : [mask]));
}

function replay(
  shapes: readonly Shape[],
  height: number,
  width: number,
  maxRuns = Infinity,
): Map<number, Mask> {
  const masks = new Map<number, Mask>();
  let runs = 0;
  shapes.forEach((shape, i) => {
    const one = within(`shapes[${i}]`, () => rasterizeShape(shape, height, width));
    const instance = shape.instance ?? 1;
    const known = masks.get(instance);
    const before = known ?? emptyMask(height, width);
    const after = shape.op === 'erase' ? difference(before, one) : union(before, one);
    masks.set(instance, after);
    runs += after.toggles.length - (known?.toggles.length ?? 0);
    if (masks.size > 1 && runs > maxRuns)
      throw new MaskError(
        'size-limit',
        'shapes',
        'the instances together have too many small pieces: draw fewer, or simpler ones',
      );
  });
  return masks;
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

/** Where the WebAssembly instance of a canvas keeps its pixels. */
const PIXELS = 1024;

/** Polygons that one pass can paint: one bit of a byte each. */
const PLANES = 8;

/**
 * One row-major bitmap to draw many masks on, one after the other, without allocating or copying. It owns its memory;
 * dropping the canvas frees it.
 */
export class MaskCanvas {
  readonly height: number;
  readonly width: number;
  readonly #wasm: WasmExports | undefined;
  #bytes: Uint8Array<ArrayBuffer>;
  #doubles: Float64Array<ArrayBuffer> | undefined;

  constructor(height: number, width: number) {
    checkSize(height, width);
    this.height = height;
    this.width = width;
    this.#wasm = kernel().name === 'wasm' ? instantiate() : undefined;
    this.#wasm?.reserve(this.#free);
    this.#bytes = this.#wasm ? this.#look(this.#wasm) : new Uint8Array(height * width);
  }

  /** What was drawn last, 0 or 1 a pixel. Ask again after each drawing: the pixels may have moved. Not to be written. */
  get bytes(): Readonly<Uint8Array<ArrayBuffer>> {
    return this.#bytes;
  }

  /** Replaces what is on the canvas by a mask. */
  draw(mask: Mask): void {
    const { height, width } = this;
    if (mask.height !== height || mask.width !== width)
      throw new MaskError(
        'size-mismatch',
        'size',
        `a mask of ${mask.height}×${mask.width} does not fit a canvas of ${height}×${width}`,
      );
    const wasm = this.#wasm;
    if (!wasm) {
      this.#bytes.fill(0);
      kernel().decodeRows(mask.toggles, height, width, this.#bytes);
      return;
    }
    const count = mask.toggles.length;
    wasm.reserve(this.#free + 4 * count);
    new Uint32Array(wasm.memory.buffer, this.#free, count).set(mask.toggles);
    wasm.erase(PIXELS, width);
    wasm.markRuns(this.#free, count, height, width, PIXELS);
    wasm.carry(PIXELS, width, 1);
    this.#bytes = this.#look(wasm);
  }

  /** Replaces what is on the canvas by the union of polygons, as `rasterizePolygons` gives it. */
  fill(polygons: readonly Ring[]): void {
    const wasm = this.#wasm;
    if (!wasm || polygons.length > PLANES) {
      this.draw(rasterizePolygons(polygons, this.height, this.width));
      return;
    }
    checkPolygons(polygons);
    wasm.erase(PIXELS, this.width);
    polygons.forEach((ring, plane) => {
      this.#mark(wasm, ring, 1 << plane);
    });
    wasm.carry(PIXELS, this.width, polygons.length);
    this.#bytes = this.#look(wasm);
  }

  #mark(wasm: WasmExports, ring: Ring, plane: number): void {
    const free = this.#free;
    const behind = free + 8 * ring.length;
    wasm.reserve(behind);
    const { buffer } = wasm.memory;
    if (this.#doubles?.buffer !== buffer) this.#doubles = new Float64Array(buffer as ArrayBuffer);
    const doubles = this.#doubles;
    for (let i = 0; i < ring.length; i++) doubles[free / 8 + i] = ring[i] as number;
    wasm.markRing(free, ring.length / 2, this.height, this.width, PIXELS, plane, behind);
  }

  get #free(): number {
    return (PIXELS + this.height * this.width + 15) & ~15;
  }

  #look(wasm: WasmExports): Uint8Array<ArrayBuffer> {
    const buffer = wasm.memory.buffer as ArrayBuffer;
    if (this.#bytes?.buffer === buffer) return this.#bytes;
    return new Uint8Array(buffer, PIXELS, this.height * this.width);
  }
}
