import { edgesOf } from '../../pixels/edges';
import { grayPicture, luminance } from '../../pixels/planes';
import type { Variant } from '../../types';
import { ONE_CELL } from '../cells-of';

/** Pixels that are smoothed first, so that grain does not become lines. */
const SIGMA = 1;

export const edges = (): Variant => ({
  id: 'shape.edges',
  version: 1,
  says: 'Lines where brightness changes most, black on white.',
  paradigm: 'transformation',
  needs: [],
  parameters: { sigma: SIGMA },
  cells: ONE_CELL,
  runs: 1,
  apply({ picture }) {
    const lines = edgesOf(luminance(picture), picture.width, picture.height, SIGMA);
    return {
      picture: grayPicture(
        picture,
        lines.map((line) => 1 - line),
      ),
    };
  },
});
