import { type Point, type Ring, ringArea } from './ring';
import { ringFault, segmentsCross } from './validity';

/** Loops that are cut off one outline. A hand makes a few where it ends; a scribble is no outline. */
const MAX_LOOPS = 50;

/** Where a ring runs across itself, or nothing. A ring that only touches itself does not. */
export function ringCrossing(ring: Ring): Point | undefined {
  const fault = ringFault(ring);
  if (fault?.kind !== 'self-crossing') return undefined;
  const [first, second] = fault.edges;
  return segmentsCross(...edge(ring, first), ...edge(ring, second)) ? fault.at : undefined;
}

/**
 * The ring without its small loops, such as the ends of a freehand line that overshoot each other. A loop is small when
 * it has at most `maxShare` of the area of the rest; a larger one stays, because it is not clear what is meant.
 */
export function cutLoops(ring: Ring, maxShare: number): number[] {
  let rest = Array.from(ring);
  for (let i = 0; i < MAX_LOOPS; i++) {
    const fault = ringFault(rest);
    if (fault?.kind !== 'self-crossing') break;
    const [first, second] = fault.edges;
    const inner = [...fault.at, ...rest.slice(2 * (first + 1), 2 * (second + 1))];
    const outer = [...rest.slice(0, 2 * (first + 1)), ...fault.at, ...rest.slice(2 * (second + 1))];
    const [small, large] = ringArea(inner) < ringArea(outer) ? [inner, outer] : [outer, inner];
    if (large.length < 6 || ringArea(small) > maxShare * ringArea(large)) break;
    rest = large;
  }
  return rest;
}

function edge(ring: Ring, index: number): [Point, Point] {
  const next = (2 * index + 2) % ring.length;
  return [
    [ring[2 * index] as number, ring[2 * index + 1] as number],
    [ring[next] as number, ring[next + 1] as number],
  ];
}
