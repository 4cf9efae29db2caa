import {
  area,
  BitmapBuffer,
  boundingBox,
  cocoIou,
  decodeCounts,
  encodeCounts,
  fromBitmap,
  fromColumnBitmap,
  intersection,
  iou,
  iouMatrix,
  type Mask,
  MaskBatch,
  MaskCanvas,
  rasterizePolygons,
  toBitmap,
  toColumnBitmap,
  union,
} from '@/lib/core/mask';
import { kernel } from '@/lib/core/mask/kernel';
import { BITMAP_MASKS, type Scene } from './data';

export type Contender = 'python' | 'c' | 'opencv';

/** Which of a scene's items (objects, bitmaps, rows of the matrix) to handle: from, and up to but without to. */
export type Slice = { readonly from: number; readonly to: number };
type Work = (scene: Scene, slice: Slice) => void;

/** The same work as each contender does: what Python reads and writes as strings and arrays, we do too. */
export type Operation = {
  readonly name: string;
  readonly title: string;
  readonly items: (scene: Scene) => Items;
  readonly against: Partial<Record<Contender, Work>>;
};

/** How many items a whole pass handles, how many one timing, and how many results an item gives. */
export type Items = { readonly count: number; readonly perSlice: number; readonly results: number };

/** Results go here, so that no work can be optimised away. */
const sink: { last: unknown } = { last: undefined };

/** Matrix rows and columns. */
const SIDE = 500;

/**
 * V8 optimises WebAssembly once one instance has used it enough, then for all instances. Every buffer here is an instance
 * and used a few times only, where a program would use one buffer often.
 */
const WARM_UP = 300;

/** Inputs that a contender also has ready before the clock starts. Made once per scene and kernel path. */
class Prepared {
  readonly strings: string[];
  readonly secondStrings: string[];
  readonly bitmaps: Record<'obj' | 'blob', BitmapSet>;
  readonly target: MaskCanvas;
  /** The masks of each slice, by where it starts. */
  readonly batches: Record<number, MaskBatch> = {};

  constructor(scene: Scene) {
    const count = bitmaps(scene).count;
    this.strings = scene.masks.map(encodeCounts);
    this.secondStrings = scene.secondMasks.map(encodeCounts);
    this.bitmaps = { obj: new BitmapSet(scene.masks.slice(0, count)), blob: new BitmapSet(scene.blobs) };
    for (let i = 0; i < WARM_UP; i++) sink.last = this.bitmaps.obj.buffers.rows[0]?.toRegions();
    this.target = new MaskCanvas(scene.height, scene.width);
    const { count: masks, perSlice } = objects(scene);
    for (let from = 0; from < masks; from += perSlice)
      this.batches[from] = new MaskBatch(scene.masks.slice(from, from + perSlice));
  }
}

const prepared = new Map<string, Prepared>();

/** Under the kernel path that is chosen now; what was made before is used again. */
function ready(scene: Scene): Prepared {
  const key = `${scene.name} ${kernel().name}`;
  const known = prepared.get(key) ?? new Prepared(scene);
  prepared.set(key, known);
  return known;
}

export function prepare(scene: Scene): void {
  ready(scene);
}

// A timing takes some milliseconds: less than the scheduler's slice, so that the best of a few is undisturbed.
const objects = (scene: Scene): Items => ({ count: scene.objects.length, perSlice: 50, results: 1 });
const bitmaps = ({ name }: Scene): Items => ({
  count: BITMAP_MASKS[name],
  perSlice: name === 'small' ? 20 : 4,
  results: 1,
});
const matrixRows = (): Items => ({ count: SIDE, perSlice: 20, results: SIDE });

function each<T>(list: readonly T[], { from, to }: Slice, work: (item: T, index: number) => unknown): void {
  for (let i = from; i < to; i++) sink.last = work(list[i] as T, i);
}

const parsed = (scene: Scene, text: string) => decodeCounts(text, scene.height, scene.width);

function eachPair(scene: Scene, slice: Slice, work: (a: Mask, b: Mask) => unknown): void {
  each(scene.masks, slice, (mask, i) => work(mask, scene.secondMasks[i] as Mask));
}

function eachStringPair(scene: Scene, slice: Slice, work: (a: Mask, b: Mask) => unknown): void {
  const { strings, secondStrings } = ready(scene);
  each(strings, slice, (text, i) => work(parsed(scene, text), parsed(scene, secondStrings[i] as string)));
}

function polygonStrings(scene: Scene, slice: Slice): void {
  each(scene.objects, slice, (rings) => {
    for (const ring of rings) sink.last = encodeCounts(rasterizePolygons([ring], scene.height, scene.width));
  });
}

function mergedStrings(scene: Scene, slice: Slice): void {
  each(scene.objects, slice, (rings) => encodeCounts(rasterizePolygons(rings, scene.height, scene.width)));
}

function bitmapOperations(kind: 'obj' | 'blob'): Operation[] {
  const set = (scene: Scene) => ready(scene).bitmaps[kind];
  const what = kind === 'obj' ? 'object' : 'blob';
  return [
    {
      name: `encode-columns-${kind}`,
      title: `column-major bitmap → RLE, ${what}`,
      items: bitmaps,
      against: {
        c: (s, slice) => each(set(s).buffers.columns, slice, (buffer) => buffer.toMask()),
        python: (s, slice) =>
          each(set(s).columns, slice, (b) => encodeCounts(fromColumnBitmap(b, s.height, s.width))),
      },
    },
    {
      name: `encode-rows-${kind}`,
      title: `row-major bitmap → RLE, ${what}`,
      items: bitmaps,
      against: {
        c: (s, slice) => each(set(s).buffers.rows, slice, (buffer) => buffer.toMask()),
        python: (s, slice) => each(set(s).rows, slice, (b) => encodeCounts(fromBitmap(b, s.height, s.width))),
      },
    },
    {
      name: `decode-${kind}`,
      title: `RLE → bitmap, ${what}`,
      items: bitmaps,
      against: {
        c: (s, slice) => each(set(s).masks, slice, (mask) => ready(s).target.draw(mask)),
        python: (s, slice) => each(set(s).strings, slice, (text) => toBitmap(parsed(s, text))),
      },
    },
    {
      name: `contours-${kind}`,
      title: `bitmap → contours with holes, ${what}`,
      items: bitmaps,
      against: {
        opencv: (s, slice) => each(set(s).buffers.rows, slice, (buffer) => buffer.toRegions()),
      },
    },
  ];
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'polygons',
    title: 'polygons → RLE strings',
    items: objects,
    against: { c: polygonStrings, python: polygonStrings },
  },
  {
    name: 'merged',
    title: 'polygons → RLE string of the object',
    items: objects,
    against: { c: mergedStrings, python: mergedStrings },
  },
  {
    name: 'fill',
    title: 'polygons → one bitmap again and again (OpenCV: fillPoly)',
    items: objects,
    against: {
      opencv: (s, slice) => each(s.objects, slice, (rings) => ready(s).target.fill(rings)),
    },
  },
  {
    name: 'fill-new',
    title: 'polygons → a new bitmap each (OpenCV: fillPoly)',
    items: objects,
    against: {
      opencv: (s, { from, to }) => {
        sink.last = s.objects
          .slice(from, to)
          .map((rings) => toBitmap(rasterizePolygons(rings, s.height, s.width)));
      },
    },
  },
  ...bitmapOperations('obj'),
  ...bitmapOperations('blob'),
  {
    name: 'bitmap-iou',
    title: 'IoU of two masks (OpenCV: and, or, count)',
    items: bitmaps,
    against: {
      opencv: (s, slice) => {
        const { masks } = ready(s).bitmaps.obj;
        each(masks, slice, (mask, i) => iou(mask, masks[(i + 1) % masks.length] as Mask));
      },
    },
  },
  {
    name: 'area',
    title: 'area',
    items: objects,
    against: {
      c: (s, slice) => {
        sink.last = ready(s).batches[slice.from]?.areas();
      },
      python: (s, slice) => each(ready(s).strings, slice, (text) => area(parsed(s, text))),
    },
  },
  {
    name: 'box',
    title: 'bounding box',
    items: objects,
    against: {
      c: (s, slice) => {
        sink.last = ready(s).batches[slice.from]?.boxes();
      },
      python: (s, slice) => each(ready(s).strings, slice, (text) => boundingBox(parsed(s, text))),
    },
  },
  {
    name: 'union',
    title: 'union of a pair',
    items: objects,
    against: {
      c: (s, slice) => eachPair(s, slice, union),
      python: (s, slice) => eachStringPair(s, slice, (a, b) => encodeCounts(union(a, b))),
    },
  },
  {
    name: 'intersection',
    title: 'intersection of a pair',
    items: objects,
    against: {
      c: (s, slice) => eachPair(s, slice, intersection),
      python: (s, slice) => eachStringPair(s, slice, (a, b) => encodeCounts(intersection(a, b))),
    },
  },
  {
    name: 'iou',
    title: 'IoU of a pair',
    items: objects,
    against: {
      c: (s, slice) => eachPair(s, slice, cocoIou),
      python: (s, slice) => eachStringPair(s, slice, cocoIou),
    },
  },
  {
    name: 'matrix',
    title: 'IoU, all pairs of 500 × 500',
    items: matrixRows,
    against: {
      c: (s, { from, to }) => {
        sink.last = iouMatrix(s.masks.slice(from, to), s.secondMasks.slice(0, SIDE));
      },
      python: (s, { from, to }) => {
        const { strings, secondStrings } = ready(s);
        const read = (texts: string[]) => texts.map((text) => parsed(s, text));
        sink.last = iouMatrix(read(strings.slice(from, to)), read(secondStrings.slice(0, SIDE)));
      },
    },
  },
  {
    name: 'write',
    title: 'RLE → string',
    items: objects,
    against: { c: (s, slice) => each(s.masks, slice, encodeCounts) },
  },
  {
    name: 'read',
    title: 'string → RLE',
    items: objects,
    against: { c: (s, slice) => each(ready(s).strings, slice, (text) => parsed(s, text)) },
  },
];

/** Masks in every form that a contender reads them in. */
class BitmapSet {
  readonly masks: readonly Mask[];
  readonly strings: string[];
  readonly rows: Uint8Array[];
  readonly columns: Uint8Array[];
  readonly buffers: Record<'rows' | 'columns', BitmapBuffer[]>;

  constructor(masks: readonly Mask[]) {
    this.masks = masks;
    this.strings = masks.map(encodeCounts);
    this.rows = masks.map(toBitmap);
    this.columns = masks.map(toColumnBitmap);
    this.buffers = {
      rows: masks.map((mask) => filledBuffer(mask, 'rows', toBitmap(mask))),
      columns: masks.map((mask) => filledBuffer(mask, 'columns', toColumnBitmap(mask))),
    };
  }
}

function filledBuffer(mask: Mask, order: 'rows' | 'columns', bytes: Uint8Array): BitmapBuffer {
  const buffer = new BitmapBuffer(mask.height, mask.width, order);
  buffer.bytes.set(bytes);
  return buffer;
}
