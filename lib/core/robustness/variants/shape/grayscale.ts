import { grayPicture, luminance } from '../../pixels/planes';
import type { Variant } from '../../types';
import { ONE_CELL } from '../cells-of';

export const grayscale = (): Variant => ({
  id: 'shape.grayscale',
  version: 1,
  says: 'Without colour.',
  paradigm: 'transformation',
  needs: [],
  parameters: {},
  cells: ONE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture: grayPicture(picture, luminance(picture)) }),
});
