import type { Stream } from '../../random/stream';
import { type Region, regionArea, regionBox, touchesEdge } from '../../region';
import type { Cell, Reason, Variant } from '../../types';
import { type Filler, plateOf } from '../background/plate';
import { objectOf, TINY } from '../object-of';
import type { Affine } from './affine';
import { cutOut, pasted } from './cut-out';
import { largestPiece } from './largest-piece';
import { keptShare, movedCutOut } from './move-cut-out';

/** Less of the object in the picture than this, and the edit does not count. */
export const LEAST_KEPT = 0.8;

export interface EditOptions {
  filler?: Filler;
  /** Softness of the edge in pixels; the same for every edit and the control, so that its trace is subtracted. */
  feather?: number;
  /** Of several pieces: all together, or the largest only while the others stay. */
  moves?: 'all' | 'largest';
}

export interface Placed {
  region: Region;
  width: number;
  height: number;
  box: { x: number; y: number; width: number; height: number };
  /** Mean of its pixels. */
  centroid: readonly [number, number];
}

/** Where the object goes, and what is told of it. */
export type Placing = { movement: Affine; extra?: Readonly<Record<string, number | string | null>> };

/** An edit that takes the object out, fills the hole, and lays it back elsewhere. */
export function movingEdit(
  given: {
    id: string;
    says: string;
    cells: readonly Cell[];
    /** An object that the edge cuts off would show its cut. */
    refusesTruncated: boolean;
    place(object: Placed, level: Cell['level'], chance: Stream): Placing;
  },
  { filler = 'smooth', feather = 1, moves = 'all' }: EditOptions = {},
): Variant {
  return {
    id: given.id,
    version: 1,
    says: given.says,
    paradigm: 'transformation',
    needs: ['object mask'],
    parameters: { filler, feather, moves, tiny: TINY, leastKept: LEAST_KEPT },
    cells: given.cells,
    runs: 1,
    apply(sample, { level }, chance) {
      const found = objectOf(sample);
      if ('invalid' in found) return found;
      const { picture } = sample;
      const { width } = picture;
      const region = moves === 'largest' ? largestPiece(found.object, width) : found.object;
      const isTruncated = touchesEdge(region, width);
      if (isTruncated && given.refusesTruncated) return invalid('truncated');
      const plate = plateOf(picture, region, filler);
      if (!plate) return invalid('mask-full');
      const { movement, extra } = given.place(placedOf(region, width), level, chance);
      const kept = keptShare(region, width, movement);
      if (kept < LEAST_KEPT) return invalid('out-of-frame');
      const cut = movedCutOut(cutOut(picture, region), movement);
      const area = regionArea(cut.region);
      if (area === 0) return invalid('mask-empty');
      return {
        picture: pasted(cut, plate, feather),
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
