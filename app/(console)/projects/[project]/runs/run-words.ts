import type { Arch, Method } from '@/lib/core/training-spec';

/** As the paper names them. */
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

/** Seconds a run has taken, or takes so far; null before it begins. */
export function secondsOf(
  { startedAt, finishedAt }: { startedAt: Date | null; finishedAt: Date | null },
  now: Date,
): number | null {
  return startedAt ? ((finishedAt ?? now).getTime() - startedAt.getTime()) / 1000 : null;
}

export const isAtWork = ({ state }: { state: string }): boolean => state === 'queued' || state === 'running';
