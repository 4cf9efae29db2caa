/** The cases of the pycocotools fixture. test/fixtures/mask/cases.py makes the same ones from the same integers. */
export const POLYGONS = 20_000;
export const BITMAPS = 5_000;
export const PAIRS = 2_000;
/** Rings of these many points come after the others. */
export const LONG_RINGS = [1_000, 10_000, 100_000];

type Canvas = { readonly height: number; readonly width: number };

/** xorshift32: integers only, so that every language draws the same. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0 || 1;
    for (let i = 0; i < 8; i++) this.next();
  }

  next(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }

  below(n: number): number {
    return this.next() % n;
  }
}

function canvas(random: Random, i: number): Canvas {
  if (i % 997 === 0) return { height: 1024, width: 2048 };
  if (i % 97 === 0) return { height: 375, width: 500 };
  const side = [4, 16, 64, 128][i % 4] as number;
  return { height: 1 + random.below(side), width: 1 + random.below(side) };
}

function coordinate(random: Random, kind: number, side: number): number {
  if (kind === 0) return random.below(side + 1);
  if (kind === 1) return random.below(2 * side + 1) / 2;
  if (kind === 2) return random.below(10 * side + 1) / 10;
  if (kind === 3) return random.below(1024 * side + 1) / 1024;
  if (kind === 4) return (random.below(50 * side + 1) - 20 * side) / 10;
  if (kind === 5) return side / 2 + random.below(9) / 10;
  if (kind === 6) return (random.below(100_001) - 50_000) / 16;
  if (kind === 7) return random.below(5 * side + 1) / 5;
  if (kind === 8) return (random.below(1_000_003) * side) / 1_000_003;
  return Math.floor((random.below(4) * side) / 3);
}

function ring(random: Random, i: number, { height, width }: Canvas): number[] {
  const kind = i % 10;
  const points = 3 + random.below(kind === 8 ? 60 : 12);
  const flat: number[] = [];
  for (let k = 0; k < points; k++) {
    // Kind 5 is a sliver: wide in y, a few tenths wide in x.
    flat.push(coordinate(random, kind, width));
    flat.push(coordinate(random, kind === 5 ? 2 : kind, height));
  }
  return flat;
}

export function polygonCase(i: number): Canvas & { ring: number[] } {
  const random = new Random(1 + i);
  const size = canvas(random, i);
  return { ...size, ring: ring(random, i, size) };
}

export function longRingCase(points: number): Canvas & { ring: number[] } {
  const random = new Random(7_000_000 + points);
  const [height, width] = [300, 400];
  return {
    height,
    width,
    ring: Array.from({ length: 2 * points }, (_, k) => coordinate(random, 2, k % 2 ? height : width)),
  };
}

export function pairCase(i: number): Canvas & { objects: number[][][] } {
  const random = new Random(3_000_000 + i);
  const size =
    i % 50 === 0
      ? { height: 375, width: 500 }
      : { height: 1 + random.below(60), width: 1 + random.below(60) };
  const object = () => {
    const rings: number[][] = [];
    for (let left = 1 + random.below(3); left > 0; left--) rings.push(ring(random, random.below(10), size));
    return rings;
  };
  return { ...size, objects: [object(), object()] };
}

/** Row-major bytes. */
export function bitmapCase(i: number): Canvas & { bytes: Uint8Array } {
  const random = new Random(5_000_000 + i);
  const { height, width } =
    i % 250 === 0
      ? { height: 150, width: 200 }
      : { height: 1 + random.below(40), width: 1 + random.below(40) };
  const bytes = new Uint8Array(height * width);
  const paint = (value: (x: number, y: number) => number) => {
    for (let p = 0; p < bytes.length; p++) bytes[p] = value(p % width, Math.floor(p / width));
  };
  const style = i % 6;
  if (style === 0) {
    const density = random.below(101);
    paint(() => (random.below(100) < density ? 1 : 0));
  } else if (style === 1) xorRectangles(random, bytes, height, width);
  else if (style === 2 || style === 3) {
    const period = 1 + random.below(7);
    paint((x, y) => Math.floor((style === 2 ? x : y) / period) % 2);
  } else if (style === 4) bytes[random.below(height * width)] = 1;
  else {
    const value = random.below(3);
    paint((x, y) => (value === 2 ? (x + y) % 2 : value));
  }
  return { height, width, bytes };
}

function xorRectangles(random: Random, bytes: Uint8Array, height: number, width: number): void {
  for (let left = 1 + random.below(6); left > 0; left--) {
    const top = random.below(height);
    const start = random.below(width);
    const bottom = top + 1 + random.below(height - top);
    const end = start + 1 + random.below(width - start);
    for (let y = top; y < bottom; y++)
      for (let x = start; x < end; x++) bytes[y * width + x] = (bytes[y * width + x] as number) ^ 1;
  }
}
