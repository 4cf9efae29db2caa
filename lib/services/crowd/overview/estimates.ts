import { meanWithInterval, type Share, wilson } from '@/lib/core/quality/interval';
import type { WorkerRow } from './list-workers';

export interface WorkerEstimates {
  passed: Share | null;
  precision: Share | null;
  recall: Share | null;
  maskScore: Share | null;
  /** Millionths per hour of active time. */
  hourlyMicro: bigint | null;
}

/** What the sums of a worker's row say, each with its interval. */
export function estimatesOf(row: WorkerRow): WorkerEstimates {
  const { truePositives: hits, falsePositives, falseNegatives } = row;
  const mask = meanWithInterval(row.maskScores);
  return {
    passed: wilson(row.passed, row.checks),
    precision: wilson(hits, hits + falsePositives),
    recall: wilson(hits, hits + falseNegatives),
    maskScore: mask && { ...mask, low: Math.max(0, mask.low), high: Math.min(1, mask.high) },
    hourlyMicro: row.activeMs > 0 ? (row.earnedMicro * 3_600_000n) / BigInt(Math.round(row.activeMs)) : null,
  };
}
