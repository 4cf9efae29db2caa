import { largestComponent, type Region, regionArea, regionBox, touchesEdge } from '../picture';
import { cutOut, type Inpainting, paste, removeObject } from '../pixels/compositing';
import type { Rng } from '../random';
import type { Cell, Reason, Variant } from '../types';
import {
  type Affine,
  identityAffine,
  keptShare,
  moveCutOut,
  reflectAbout,
  rotateAbout,
  scaleAbout,
  translateBy,
} from './affine';
import { createCells, findObject, MIN_OBJECT_SHARE, SINGLE_CELL } from './samples';

/** Minimum share of the object that must stay in the picture. */
const MIN_KEPT_SHARE = 0.8;

export interface EditOptions {
  filler?: Inpainting;
  /** Width of the soft edge in pixels; equal for all edits and the control, so that its effect cancels out. */
  feather?: number;
  /** Moves all components or only the largest. */
  moves?: 'all' | 'largest';
}

interface Placed {
  region: Region;
  width: number;
  height: number;
  box: { x: number; y: number; width: number; height: number };
  /** Mean of its pixels. */
  centroid: readonly [number, number];
}

/** Transformation of the object and extra values. */
type Placing = { movement: Affine; extra?: Readonly<Record<string, number | string | null>> };

/** An edit that cuts out the object, inpaints the hole and pastes the object elsewhere. */
function movingEdit(
  given: {
    id: string;
    says: string;
    cells: readonly Cell[];
    /** Skips objects that the image border truncates. */
    refusesTruncated: boolean;
    place(object: Placed, level: Cell['level'], rng: Rng): Placing;
  },
  { filler = 'smooth', feather = 1, moves = 'all' }: EditOptions = {},
): Variant {
  return {
    id: given.id,
    version: 1,
    description: given.says,
    paradigm: 'transformation',
    needs: ['object mask'],
    parameters: { filler, feather, moves, tiny: MIN_OBJECT_SHARE, leastKept: MIN_KEPT_SHARE },
    cells: given.cells,
    runs: 1,
    apply(sample, { level }, rng) {
      const found = findObject(sample);
      if ('invalid' in found) return found;
      const { picture } = sample;
      const { width } = picture;
      const region = moves === 'largest' ? largestComponent(found.object, width) : found.object;
      const isTruncated = touchesEdge(region, width);
      if (isTruncated && given.refusesTruncated) return invalid('truncated');
      const plate = removeObject(picture, region, filler);
      if (!plate) return invalid('mask-full');
      const { movement, extra } = given.place(placedOf(region, width), level, rng);
      const kept = keptShare(region, width, movement);
      if (kept < MIN_KEPT_SHARE) return invalid('out-of-frame');
      const cut = moveCutOut(cutOut(picture, region), movement);
      const area = regionArea(cut.region);
      if (area === 0) return invalid('mask-empty');
      return {
        picture: paste(cut, plate, feather),
        extra: { ...extra, kept, rate: area / region.length, isTruncated: Number(isTruncated) },
      };
    },
  };
}

const invalid = (reason: Reason) => ({ invalid: reason });

function placedOf(region: Region, width: number): Placed {
  let [n, sumX, sumY] = [0, 0, 0];
  region.forEach((pixel, i) => {
    if (!pixel) return;
    const x = i % width;
    n += 1;
    sumX += x;
    sumY += (i - x) / width;
  });
  return {
    region,
    width,
    height: region.length / width,
    box: regionBox(region, width) as Placed['box'],
    centroid: [sumX / n, sumY / n],
  };
}

/** Control of all edits: cut, inpaint and paste back without a change. */
export const pasteBack = (options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.paste-back',
      says: 'The object is cut out and laid back where it was.',
      cells: SINGLE_CELL,
      refusesTruncated: false,
      place: () => ({ movement: identityAffine }),
    },
    options,
  );

/** How far right and down the left upper corner of a box may be. */
export const roomFor = ({ width, height, box }: Pick<Placed, 'width' | 'height' | 'box'>) => ({
  x: width - box.width,
  y: height - box.height,
});

const says = 'The object is elsewhere in its picture.';

/** Anywhere in the frame, evenly. */
export const positionEdit = (trials = 3, options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.position',
      says,
      cells: createCells(['random'], trials),
      refusesTruncated: true,
      place(object, _level, rng) {
        const room = roomFor(object);
        return placedAt(object, rng.below(room.x + 1), rng.below(room.y + 1));
      },
    },
    options,
  );

/** Rows from the top, each from the left. */
export const POSITIONS = ['top', 'middle', 'bottom'].flatMap((row) =>
  ['left', 'centre', 'right'].map((column) => `${row}-${column}`),
);

/** Nine positions, for the position map. */
export const positionGrid = (options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.position-grid',
      says,
      cells: createCells(POSITIONS),
      refusesTruncated: true,
      place(object, level) {
        const at = POSITIONS.indexOf(String(level));
        const room = roomFor(object);
        return placedAt(
          object,
          Math.round((room.x * (at % 3)) / 2),
          Math.round((room.y * Math.floor(at / 3)) / 2),
        );
      },
    },
    options,
  );

const placedAt = ({ box }: Placed, x: number, y: number) => ({
  movement: translateBy(x - box.x, y - box.y),
  extra: { x, y },
});

/** Shares of the picture; "full": the box of the object fills the frame. */
const SIZES = ['full', 0.1, 0.08, 0.05] as const;

/** How much larger an object must become to cover another share of the picture. */
export const scaleFor = (rate: number, target: number): number => Math.sqrt(target / rate);

/** Tolerance of the ImageNet-E tools: the same whole percent, or a difference of at most 1.5 points. */
export const isNearRate = (rate: number, target: number): boolean =>
  Math.floor(100 * rate) === Math.round(100 * target) || Math.abs(rate - target) <= 0.015;

/** The object larger or smaller, about the centre of its box; "full" in the middle of the frame. */
export const sizeEdit = (levels: readonly (number | 'full')[] = SIZES, options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.size',
      says: 'The object is scaled to a share of the picture.',
      cells: createCells(levels),
      refusesTruncated: false,
      place({ region, width, height, box }, level): Placing {
        const centre = [box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2] as const;
        const middle = [(width - 1) / 2, (height - 1) / 2] as const;
        const rate = regionArea(region) / region.length;
        const max = Math.min(width / box.width, height / box.height);
        if (level === 'full')
          return { movement: scaleAbout(max, centre, middle), extra: { scale: max, before: rate } };
        const target = Number(level);
        const scale = Math.min(scaleFor(rate, target), max);
        return {
          movement: scaleAbout(scale, centre, centre),
          extra: {
            scale,
            before: rate,
            wasNear: Number(isNearRate(rate, target)),
            // Elongated objects fill the frame before they reach the target area.
            isClamped: Number(scale < scaleFor(rate, target)),
          },
        };
      },
    },
    options,
  );

/** Degrees, counter-clockwise. */
const ANGLES = Array.from({ length: 13 }, (_, i) => 15 * i - 90);
/** Of random angles, to either side. */
const WIDEST = 45;

/** The object turned about its centroid: by fixed angles, or at random for the level "random". */
export const directionEdit = (
  levels: readonly (number | 'random')[] = ANGLES,
  { trials = 1, ...options }: EditOptions & { trials?: number } = {},
) =>
  movingEdit(
    {
      id: 'edit.direction',
      says: 'The object is turned.',
      cells: createCells(levels, trials),
      refusesTruncated: true,
      place({ centroid }, level, rng) {
        const angle = level === 'random' ? WIDEST * (2 * rng.unit() - 1) : Number(level);
        return { movement: rotateAbout(angle, centroid), extra: { angle } };
      },
    },
    options,
  );

/** Left and right of the object exchanged, its box where it was. */
export const flipEdit = (options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.flip',
      says: 'The object is seen in a mirror.',
      cells: SINGLE_CELL,
      refusesTruncated: true,
      place: ({ box }) => ({ movement: reflectAbout(box.x + (box.width - 1) / 2) }),
    },
    options,
  );
