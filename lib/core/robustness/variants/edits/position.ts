import { cellsOf } from '../cells-of';
import { movedBy } from './affine';
import { type EditOptions, movingEdit, type Placed } from './moving-edit';

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
      cells: cellsOf(['random'], trials),
      refusesTruncated: true,
      place(object, _level, chance) {
        const room = roomFor(object);
        return placedAt(object, chance.below(room.x + 1), chance.below(room.y + 1));
      },
    },
    options,
  );

/** Rows from the top, each from the left. */
export const POSITIONS = ['top', 'middle', 'bottom'].flatMap((row) =>
  ['left', 'centre', 'right'].map((column) => `${row}-${column}`),
);

/** In the corners, along the edges and in the middle: a map of where the model expects things. */
export const positionGrid = (options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.position-grid',
      says,
      cells: cellsOf(POSITIONS),
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
  movement: movedBy(x - box.x, y - box.y),
  extra: { x, y },
});
