import { ONE_CELL } from '../cells-of';
import { unmoved } from './affine';
import { type EditOptions, movingEdit } from './moving-edit';

/** The control of all edits: what cutting and filling alone cost is subtracted from what they cost. */
export const pasteBack = (options?: EditOptions) =>
  movingEdit(
    {
      id: 'edit.paste-back',
      says: 'The object is cut out and laid back where it was.',
      cells: ONE_CELL,
      refusesTruncated: false,
      place: () => ({ movement: unmoved }),
    },
    options,
  );
