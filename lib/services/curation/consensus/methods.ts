import type { StageKind } from '@/db/schema';
import { aggregators } from '@/lib/core/quality/aggregate';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';

export interface Method {
  id: string;
  name: string;
  citation: string;
}

/** The ways to merge the answers of a stage, simplest first. */
export const methodsFor = (kind: StageKind): readonly Method[] =>
  drawsMasks(kind) ? maskAggregators : aggregators;

interface DefaultMethod {
  method: Method;
  /** Why it is the default, with the figures. */
  why: string;
}

/** The method that made the fewest errors on simulated crowds at the overlap in use. */
export function defaultMethod(kind: StageKind, overlap: number): DefaultMethod {
  const column = nearest(overlap);
  const isMask = drawsMasks(kind);
  const errorOf = ({ id }: Method) => measured[id]?.[column] ?? Number.POSITIVE_INFINITY;
  const list = methodsFor(kind);
  // The first of equals is the simplest.
  const method = list.reduce((best, each) => (errorOf(each) < errorOf(best) ? each : best));
  const simplest = list[0] as Method;
  const show = (each: Method) =>
    isMask ? `IoU ${(1 - errorOf(each)).toFixed(3)}` : `${(100 * errorOf(each)).toFixed(2)} % wrong`;
  const against = method === simplest ? '' : ` (${simplest.name}: ${show(simplest)})`;
  return {
    method,
    why: `Best on simulated crowds at overlap ${measuredOverlaps[column]}: ${show(method)}${against}.`,
  };
}

function nearest(overlap: number): number {
  return measuredOverlaps.reduce(
    (best, each, n) =>
      Math.abs(each - overlap) < Math.abs((measuredOverlaps[best] as number) - overlap) ? n : best,
    0,
  );
}

/** The overlaps at which `npm run bench:aggregate` measures. */
export const measuredOverlaps = [1, 3, 5] as const;

/**
 * Error of each method on simulated crowds by overlap, as `npm run bench:aggregate` printed it (400 pictures, 40
 * workers of whom 15 % are sloppy and 10 % guess, mean of 3 seeds): the share of wrong attributes, and for masks
 * 1 − IoU with the truth.
 */
export const measured: Readonly<Record<string, readonly [number, number, number]>> = {
  majority: [0.1088, 0.0446, 0.0175],
  'gold-majority': [0.1088, 0.0446, 0.0168],
  'one-coin-dawid-skene': [0.1089, 0.0337, 0.0108],
  'dawid-skene': [0.1052, 0.0286, 0.0083],
  mace: [0.1088, 0.0593, 0.0106],
  glad: [0.2634, 0.0498, 0.0171],
  'pixel-majority': [0.245, 0.183, 0.159],
  staple: [0.245, 0.183, 0.158],
  em: [0.245, 0.225, 0.165],
  rasa: [0.245, 0.182, 0.152],
};
