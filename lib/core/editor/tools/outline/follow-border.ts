import type { Point } from '@/lib/core/geometry';
import { traceBetween } from '../snap';
import type { Connect } from './outline-tool';

/** Straight, or along a neighbour's border while the key for it is held; Shift goes the longer way round. */
export function followBorder(from: Point): Connect {
  return (to, longer, context) => {
    const traced = context.tracing && traceBetween(from, to, longer ? 'longer' : 'shorter', context);
    return traced || Float64Array.from(to);
  };
}
