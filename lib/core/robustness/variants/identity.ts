import type { Variant } from '../types';
import { ONE_CELL } from './cells-of';

/** The picture as it is: what all others are compared with. */
export const identity = (): Variant => ({
  id: 'identity',
  version: 1,
  says: 'The picture as it is.',
  paradigm: 'evaluation set',
  needs: [],
  parameters: {},
  cells: ONE_CELL,
  runs: 1,
  apply: ({ picture }) => ({ picture }),
});
