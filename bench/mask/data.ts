import { fromBitmap, type Mask, rasterizePolygons } from '@/lib/core/mask';
import { Random } from '@/test/core/mask/cases';

export type SceneName = 'small' | 'large';

/** One canvas size with everything measured on it. */
export type Scene = {
  readonly name: SceneName;
  readonly height: number;
  readonly width: number;
  /** Objects as lists of rings, and a second, slightly different drawing of each. */
  readonly objects: readonly number[][][];
  readonly seconds: readonly number[][][];
  readonly masks: readonly Mask[];
  readonly secondMasks: readonly Mask[];
  /** Rough masks with many runs. */
  readonly blobs: readonly Mask[];
};

/** How many of the masks bitmap work is measured on: a bitmap of the large canvas is 2 MB. */
export const BITMAP_MASKS = { small: 60, large: 16 };
const OBJECTS = 1_000;

export function makeScene(name: SceneName): Scene {
  const [height, width] = name === 'small' ? [375, 500] : [1024, 2048];
  const random = new Random(name === 'small' ? 11 : 12);
  const objects: number[][][] = [];
  const seconds: number[][][] = [];
  for (let i = 0; i < OBJECTS; i++) {
    const parts = makeObject(random, i, height, width);
    objects.push(parts);
    seconds.push(parts.map((ring) => ring.map((value) => value + (random.below(61) - 30) / 10)));
  }
  const rasterized = (parts: number[][]) => rasterizePolygons(parts, height, width);
  return {
    name,
    height,
    width,
    objects,
    seconds,
    masks: objects.map(rasterized),
    secondMasks: seconds.map(rasterized),
    blobs: Array.from({ length: BITMAP_MASKS[name] }, (_, i) => makeBlob(new Random(900 + i), height, width)),
  };
}

/** One to four wobbly rings of 10 to 200 points; one object in ten leaves the canvas. */
function makeObject(random: Random, i: number, height: number, width: number): number[][] {
  const parts = 1 + (random.below(3) === 0 ? random.below(4) : 0);
  return Array.from({ length: parts }, () => {
    // The product of two draws makes short rings more common than long ones.
    const points = 10 + Math.floor((random.below(191) * random.below(191)) / 190);
    const shorter = Math.min(height, width);
    const radius = shorter / 16 + random.below(Math.floor(shorter / 4));
    const reach = i % 10 === 0 ? 0 : 1;
    const centreX = reach * radius + random.below(Math.max(1, Math.floor(width - 2 * reach * radius)));
    const centreY = reach * radius + random.below(Math.max(1, Math.floor(height - 2 * reach * radius)));
    return makeRing(random, i, points, centreX, centreY, radius);
  });
}

function makeRing(random: Random, i: number, points: number, x: number, y: number, radius: number): number[] {
  const ring: number[] = [];
  for (let k = 0; k < points; k++) {
    const angle = (2 * Math.PI * k) / points;
    const r = radius * (0.75 + random.below(250) / 1000);
    // A third of the objects in whole pixels, a third in halves, a third in hundredths.
    const grid = [1, 2, 100][i % 3] as number;
    ring.push(Math.round((x + r * Math.cos(angle)) * grid) / grid);
    ring.push(Math.round((y + r * Math.sin(angle)) * grid) / grid);
    if (random.below(25) === 0) ring.push(ring.at(-2) as number, ring.at(-1) as number);
  }
  return ring;
}

/** Coarse noise, smoothly enlarged, with fine noise on top, cut at half height. */
function makeBlob(random: Random, height: number, width: number): Mask {
  const cell = 24;
  const columns = Math.ceil(width / cell) + 2;
  const rows = Math.ceil(height / cell) + 2;
  const coarse = Float64Array.from({ length: columns * rows }, () => random.below(1000));
  const bytes = new Uint8Array(height * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const cx = Math.floor(x / cell);
      const cy = Math.floor(y / cell);
      const fx = x / cell - cx;
      const fy = y / cell - cy;
      const at = (dx: number, dy: number) => coarse[(cy + dy) * columns + cx + dx] as number;
      const value =
        (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy;
      bytes[y * width + x] = value + random.below(61) - 30 > 500 ? 1 : 0;
    }
  return fromBitmap(bytes, height, width);
}
