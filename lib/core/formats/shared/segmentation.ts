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

/** A picture's worth of points; a polygon with more is no drawing. */
const MAX_NUMBERS = 2_000_000;
/** Of one ring, beside what the picture itself allows: a few edges may go far beyond it. In pixels. */
const MAX_BORDER_PX = 10_000_000;
/** Of all rings on one picture: the most crowded ones of public sets have less than a hundredth of it. */
const MAX_TOTAL_BORDER_PX = 30_000_000;

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How much was filled on each picture so far. Readers make a size per picture, and forget it with the picture. */
const filledBorders = new WeakMap<PictureSize, number>();

/** Filling costs what borders are long: many harmless rings would take for ever too. */
function chargeFill(size: PictureSize, border: number): void {
  const sum = (filledBorders.get(size) ?? 0) + border;
  if (sum > MAX_TOTAL_BORDER_PX + 8 * size.width * size.height)
    throw new Error('comes after more outlines than a picture can have');
  filledBorders.set(size, sum);
}

/**
 * COCO's `segmentation`: polygons, or runs as a list or as a string. Throws where it is none: runs that do not add
 * up would give random pixels to whoever decodes them.
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

/** Several rings are united, as COCO does. */
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

/** Filling costs what the border is long: a zigzag of points far apart would take for ever. 0 for what is no ring. */
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

/** A size as files say it: whole and positive, or null. */
export function parseSize(givenWidth: unknown, givenHeight: unknown): PictureSize | null {
  // Columns of whole numbers come as bigint from some files.
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

/** What is wrong with a mask, the same words for the same fault, so that faults can be counted. */
export function describeMaskError(error: unknown): string {
  if (error instanceof MaskError) return `has ${errorPhrases[error.code] ?? error.problem}`;
  return error instanceof Error ? error.message : 'cannot be read';
}
