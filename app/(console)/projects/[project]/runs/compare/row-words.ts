import type { SeedMean, TableRow } from '@/lib/services/training/report/table-one';
import { archName, methodNames } from '../run-words';

export const rowName = ({ arch, method }: Pick<TableRow, 'arch' | 'method'>): string =>
  `${archName(arch)}, ${methodNames[method]}`;

/** What differs from the preset, one by one: "train.cSeg 0.3". */
export const changesOf = ({ changed }: Pick<TableRow, 'changed'>): string[] =>
  Object.entries(changed).map(([path, value]) => `${path} ${value.replaceAll('"', '')}`);

export const changeWords = (row: Pick<TableRow, 'changed'>): string => changesOf(row).join(', ');

/** What the interval is over. */
export const overWords = ({ seeds, n }: SeedMean): string =>
  seeds > 1 ? `${seeds} seeds, n = ${n}` : `1 seed, n = ${n}`;
