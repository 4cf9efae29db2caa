import {
  area,
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
  toRegions,
  union,
} from '@/lib/mask';
import { BITMAP_MASKS, type Scene } from './data';

export type Contender = 'python' | 'c' | 'opencv';

/** The same work as each contender does: what Python reads and writes as strings and arrays, we do too. */
export type Operation = {
  readonly name: string;
  readonly title: string;
  /** How many of the unit one pass handles. */
  units(scene: Scene): number;
  readonly against: Partial<Record<Contender, (scene: Scene) => void>>;
};

/** Matrix rows and columns. */
const SIDE = 500;

/** Inputs that a contender also has ready before the clock starts. Made once per scene and kernel path. */
export class Prepared {
  readonly strings: string[];
  readonly secondStrings: string[];
  readonly bitmaps: Record<'obj' | 'blob', BitmapSet>;
  readonly target: MaskCanvas;
  readonly batch: MaskBatch;

  constructor(scene: Scene) {
    const count = BITMAP_MASKS[scene.name];
    this.strings = scene.masks.map(encodeCounts);
    this.secondStrings = scene.secondMasks.map(encodeCounts);
    this.bitmaps = { obj: new BitmapSet(scene.masks.slice(0, count)), blob: new BitmapSet(scene.blobs) };
    this.target = new MaskCanvas(scene.height, scene.width);
    this.batch = new MaskBatch([...scene.masks, ...scene.secondMasks]);
  }
}

class BitmapSet {
  readonly masks: readonly Mask[];
  readonly strings: string[];
  readonly rows: Uint8Array[];
  readonly columns: Uint8Array[];
  readonly canvases: MaskCanvas[];

  constructor(masks: readonly Mask[]) {
    this.masks = masks;
    this.strings = masks.map(encodeCounts);
    this.rows = masks.map(toBitmap);
    this.columns = masks.map(toColumnBitmap);
    this.canvases = masks.map((mask) => {
      const canvas = new MaskCanvas(mask.height, mask.width);
      canvas.draw(mask);
      return canvas;
    });
  }
}

/** Results go here, so that no work can be optimised away. */
export const sink: { last: unknown } = { last: undefined };

const prepared = new Map<Scene, Prepared>();

export function prepare(scene: Scene): void {
  prepared.set(scene, new Prepared(scene));
}

function ready(scene: Scene): Prepared {
  return prepared.get(scene) as Prepared;
}

const objects = (scene: Scene) => scene.objects.length;
const bitmaps = (scene: Scene) => BITMAP_MASKS[scene.name];

function each<T>(list: readonly T[], work: (item: T, index: number) => unknown): void {
  for (let i = 0; i < list.length; i++) sink.last = work(list[i] as T, i);
}

const parsed = (scene: Scene, text: string) => decodeCounts(text, scene.height, scene.width);

function eachPair(scene: Scene, work: (a: Mask, b: Mask) => unknown): void {
  each(scene.masks, (mask, i) => work(mask, scene.secondMasks[i] as Mask));
}

function eachStringPair(scene: Scene, work: (a: Mask, b: Mask) => unknown): void {
  const { strings, secondStrings } = ready(scene);
  each(strings, (text, i) => work(parsed(scene, text), parsed(scene, secondStrings[i] as string)));
}

function polygonStrings(scene: Scene): void {
  each(scene.objects, (rings) =>
    each(rings, (ring) => encodeCounts(rasterizePolygons([ring], scene.height, scene.width))),
  );
}

function mergedStrings(scene: Scene): void {
  each(scene.objects, (rings) => encodeCounts(rasterizePolygons(rings, scene.height, scene.width)));
}

function bitmapOperations(kind: 'obj' | 'blob'): Operation[] {
  const set = (scene: Scene) => ready(scene).bitmaps[kind];
  const what = kind === 'obj' ? 'object' : 'blob';
  return [
    {
      name: `encode-columns-${kind}`,
      title: `column-major bitmap → RLE, ${what}`,
      units: bitmaps,
      against: {
        c: (s) => each(set(s).columns, (b) => fromColumnBitmap(b, s.height, s.width)),
        python: (s) => each(set(s).columns, (b) => encodeCounts(fromColumnBitmap(b, s.height, s.width))),
      },
    },
    {
      name: `encode-rows-${kind}`,
      title: `row-major bitmap → RLE, ${what}`,
      units: bitmaps,
      against: {
        c: (s) => each(set(s).canvases, (canvas) => canvas.read()),
        python: (s) => each(set(s).rows, (b) => encodeCounts(fromBitmap(b, s.height, s.width))),
      },
    },
    {
      name: `decode-${kind}`,
      title: `RLE → bitmap, ${what}`,
      units: bitmaps,
      against: {
        c: (s) => each(set(s).masks, (mask) => ready(s).target.draw(mask)),
        python: (s) => each(set(s).strings, (text) => toBitmap(parsed(s, text))),
      },
    },
    {
      name: `contours-${kind}`,
      title: `bitmap → contours with holes, ${what}`,
      units: bitmaps,
      against: { opencv: (s) => each(set(s).rows, (b) => toRegions(fromBitmap(b, s.height, s.width))) },
    },
  ];
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'polygons',
    title: 'polygons → RLE strings',
    units: objects,
    against: { c: polygonStrings, python: polygonStrings },
  },
  {
    name: 'merged',
    title: 'polygons → RLE string of the object',
    units: objects,
    against: { c: mergedStrings, python: mergedStrings },
  },
  {
    name: 'fill',
    title: 'polygons → bitmap (OpenCV: fillPoly)',
    units: objects,
    against: {
      opencv: (s) =>
        each(s.objects, (rings) => ready(s).target.draw(rasterizePolygons(rings, s.height, s.width))),
    },
  },
  ...bitmapOperations('obj'),
  ...bitmapOperations('blob'),
  {
    name: 'bitmap-iou',
    title: 'IoU of two masks (OpenCV: and, or, count)',
    units: bitmaps,
    against: {
      opencv: (s) => {
        const { masks } = ready(s).bitmaps.obj;
        each(masks, (mask, i) => iou(mask, masks[(i + 1) % masks.length] as Mask));
      },
    },
  },
  {
    name: 'area',
    title: 'area',
    units: objects,
    against: {
      c: (s) => {
        sink.last = ready(s).batch.areas();
      },
      python: (s) => each(ready(s).strings, (text) => area(parsed(s, text))),
    },
  },
  {
    name: 'box',
    title: 'bounding box',
    units: objects,
    against: {
      c: (s) => {
        sink.last = ready(s).batch.boxes();
      },
      python: (s) => each(ready(s).strings, (text) => boundingBox(parsed(s, text))),
    },
  },
  {
    name: 'union',
    title: 'union of a pair',
    units: objects,
    against: {
      c: (s) => eachPair(s, union),
      python: (s) => eachStringPair(s, (a, b) => encodeCounts(union(a, b))),
    },
  },
  {
    name: 'intersection',
    title: 'intersection of a pair',
    units: objects,
    against: {
      c: (s) => eachPair(s, intersection),
      python: (s) => eachStringPair(s, (a, b) => encodeCounts(intersection(a, b))),
    },
  },
  {
    name: 'iou',
    title: 'IoU of a pair',
    units: objects,
    against: { c: (s) => eachPair(s, cocoIou), python: (s) => eachStringPair(s, cocoIou) },
  },
  {
    name: 'matrix',
    title: 'IoU, all pairs of 500 × 500',
    units: () => SIDE * SIDE,
    against: {
      c: (s) => {
        sink.last = iouMatrix(s.masks.slice(0, SIDE), s.secondMasks.slice(0, SIDE));
      },
      python: (s) => {
        const { strings, secondStrings } = ready(s);
        const read = (texts: string[]) => texts.slice(0, SIDE).map((text) => parsed(s, text));
        sink.last = iouMatrix(read(strings), read(secondStrings));
      },
    },
  },
  {
    name: 'write',
    title: 'RLE → string',
    units: objects,
    against: { c: (s) => each(s.masks, encodeCounts) },
  },
  {
    name: 'read',
    title: 'string → RLE',
    units: objects,
    against: { c: (s) => each(ready(s).strings, (text) => parsed(s, text)) },
  },
];
