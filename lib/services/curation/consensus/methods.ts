import type { StageKind } from '@/db/schema';
import { aggregators } from '@/lib/core/quality/aggregate';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { measured, measuredOverlaps } from './measured';

export interface Method {
  id: string;
  name: string;
  citation: string;
}

/** The ways to merge the answers of a stage, simplest first. */
export const methodsFor = (kind: StageKind): readonly Method[] =>
  drawsMasks(kind) ? maskAggregators : aggregators;

export interface DefaultMethod {
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
