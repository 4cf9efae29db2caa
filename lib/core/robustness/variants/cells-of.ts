import type { Cell } from '../types';

/** Every level as often as there are trials. */
export const cellsOf = (levels: readonly (number | string)[], trials = 1): Cell[] =>
  levels.flatMap((level) => Array.from({ length: trials }, (_, trial) => ({ level, trial })));

/** Of variants that have one setting only. */
export const ONE_CELL: readonly Cell[] = [{ level: 0, trial: 0 }];
