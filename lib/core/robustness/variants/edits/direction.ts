import { cellsOf, ONE_CELL } from '../cells-of';
import { flippedAbout, turnedAbout } from './affine';
import { type EditOptions, movingEdit } from './moving-edit';

/** Degrees, counter-clockwise. */
export const ANGLES = Array.from({ length: 13 }, (_, i) => 15 * i - 90);
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
      cells: cellsOf(levels, trials),
      refusesTruncated: true,
      place({ centroid }, level, chance) {
        const angle = level === 'random' ? WIDEST * (2 * chance.unit() - 1) : Number(level);
        return { movement: turnedAbout(angle, centroid), extra: { angle } };
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
      cells: ONE_CELL,
      refusesTruncated: true,
      place: ({ box }) => ({ movement: flippedAbout(box.x + (box.width - 1) / 2) }),
    },
    options,
  );
