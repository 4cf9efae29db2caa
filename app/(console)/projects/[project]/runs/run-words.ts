import type { Arch, JobSpec, Method } from '@/lib/core/training-spec';
import type { SeedMean, TableRow } from '@/lib/services/training/report/table-one';

/** Names as in the paper. */
export const archNames: Record<Arch, string> = {
  baseline: 'Baseline',
  downsampled: 'Downsampled',
  'bounding-box': 'Bounding-Box',
  'two-headed-encoder': 'Two-Headed, encoder',
  'two-headed-decoder': 'Two-Headed, decoder',
  pixel: 'Pixel',
};

export const methodNames: Record<Method, string> = { normal: 'Normal', pgd: 'PGD', trades: 'TRADES' };

export const archName = (arch: string): string => archNames[arch as Arch] ?? arch;

/** Duration of a run in seconds, up to now if it has not ended; null before it starts. */
export function secondsOf(
  { startedAt, finishedAt }: { startedAt: Date | null; finishedAt: Date | null },
  now: Date,
): number | null {
  return startedAt ? ((finishedAt ?? now).getTime() - startedAt.getTime()) / 1000 : null;
}

export const isAtWork = ({ state }: { state: string }): boolean => state === 'queued' || state === 'running';

/** Formats a spec for reading: indented, with short lists of numbers on one line. */
export const specText = (spec: JobSpec): string =>
  JSON.stringify(spec, null, 2).replace(
    /\[\s+([-\d.,\s]+?)\s+\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  );

export const rowName = ({ arch, method }: Pick<TableRow, 'arch' | 'method'>): string =>
  `${archName(arch)}, ${methodNames[method]}`;

/** The settings that differ from the preset: "train.cSeg 0.3". */
export const changesOf = ({ changed }: Pick<TableRow, 'changed'>): string[] =>
  Object.entries(changed).map(([path, value]) => `${path} ${value.replaceAll('"', '')}`);

export const changeWords = (row: Pick<TableRow, 'changed'>): string => changesOf(row).join(', ');

/** Describes the basis of an interval. */
export const overWords = ({ seeds, n }: SeedMean): string =>
  seeds > 1 ? `${seeds} seeds, n = ${n}` : `1 seed, n = ${n}`;
