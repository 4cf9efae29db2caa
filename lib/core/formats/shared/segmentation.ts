import { limits } from '@/lib/core/image-limits';
import {
  decodeCounts,
  fromCounts,
  MAX_COORDINATE,
  type Mask,
  MaskError,
  type MaskErrorCode,
  merge,
  rasterizePolygons,
} from '@/lib/core/mask';
import { isRecord } from './read-tree';

/** Maximum number of coordinates of one annotation. */
const MAX_NUMBERS = 2_000_000;
/** Maximum border length of one ring in pixels, in addition to the allowance for the image size. */
const MAX_BORDER_PX = 10_000_000;
/** Maximum total border length per image. The most crowded public datasets use less than a hundredth of it. */
const MAX_TOTAL_BORDER_PX = 30_000_000;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Border length filled so far per image. Readers create one size object per image, so entries expire with it. */
const filledBorders = new WeakMap<PictureSize, number>();

/** Counts the border length against the image's limit, because fill time grows with border length. */
function chargeFill(size: PictureSize, border: number): void {
  const sum = (filledBorders.get(size) ?? 0) + border;
  if (sum > MAX_TOTAL_BORDER_PX + 8 * size.width * size.height)
    throw new Error('comes after more outlines than a picture can have');
  filledBorders.set(size, sum);
}

/**
 * Parses COCO's `segmentation`: polygons, or run lengths as a list or a string. Throws if it is malformed, because
 * run lengths with a wrong sum would decode to random pixels.
 */
export function parseSegmentation(given: unknown, picture: PictureSize): Mask {
  const { width, height } = picture;
  if (Array.isArray(given)) return parsePolygons(given, picture);
  if (!isRecord(given)) throw new Error('has neither polygons nor runs');
  const { size, counts } = given;
  if (size !== undefined && !(Array.isArray(size) && size[0] === height && size[1] === width))
    throw new Error(
      `has runs of size ${JSON.stringify(size)?.slice(0, 40)} on an image of ${height} × ${width}`,
    );
  if (typeof counts === 'string') return decodeCounts(counts, height, width);
  if (Array.isArray(counts)) return fromCounts(counts, height, width);
  throw new Error('has no runs');
}

/** Parses polygons and returns their union, as COCO does. */
export function parsePolygons(rings: readonly unknown[], picture: PictureSize): Mask {
  const { width, height } = picture;
  if (rings.length === 0) throw new Error('has an empty list of polygons');
  let numbers = 0;
  const masks = rings.map((ring) => {
    if (!Array.isArray(ring)) throw new Error('has a flat list of numbers where polygons are expected');
    numbers += ring.length;
    if (numbers > MAX_NUMBERS) throw new Error(`has polygons of more than ${MAX_NUMBERS} numbers`);
    const border = measureBorder(ring);
    if (border > MAX_BORDER_PX + 4 * width * height)
      throw new Error('has a polygon whose border is longer than any drawing of the picture');
    chargeFill(picture, border + ring.length);
    return rasterizePolygons([ring], height, width);
  });
  return merge(masks);
}

/** Returns the border length of a ring, or 0 if it is malformed. */
function measureBorder(ring: readonly unknown[]): number {
  let border = 0;
  for (let i = 0; i < ring.length; i++) {
    const [here, next] = [ring[i], ring[(i + 2) % ring.length]];
    const areNumbers = typeof here === 'number' && typeof next === 'number';
    if (!areNumbers || Math.abs(here) > MAX_COORDINATE) return 0;
    border += Math.abs(next - here);
  }
  return border;
}

/** Parses a size. Returns null unless both sides are positive integers within the limits. */
export function parseSize(givenWidth: unknown, givenHeight: unknown): PictureSize | null {
  // Parquet columns of 64-bit integers are read as bigint.
  const [width, height] = [givenWidth, givenHeight].map((side) =>
    typeof side === 'bigint' ? Number(side) : side,
  );
  const isSide = (side: unknown): side is number =>
    typeof side === 'number' && Number.isInteger(side) && side > 0 && side <= 65_535;
  return isSide(width) && isSide(height) && width * height <= limits.pixels ? { width, height } : null;
}

const errorPhrases: Partial<Record<MaskErrorCode, string>> = {
  'bad-counts': 'runs that do not add up to the pixels of the image',
  'bad-string': 'runs that are no COCO string',
  'bad-coordinate': 'coordinates that cannot be meant',
  'too-few-points': 'fewer than three points',
  'bad-size': 'a size that cannot be meant',
  'size-limit': 'a size beyond all pictures',
};

/** Describes a mask error. The same kind of error gives the same text, so that errors can be counted. */
export function describeMaskError(error: unknown): string {
  if (error instanceof MaskError) return `has ${errorPhrases[error.code] ?? error.problem}`;
  return error instanceof Error ? error.message : 'cannot be read';
}
