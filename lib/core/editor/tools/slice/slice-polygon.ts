import { clockwise, counterClockwise, type Point, type Ring } from '@/lib/core/geometry';
import type { PolygonShape } from '@/lib/core/mask';
import { cleanRing } from '../../document/clean';
import { onGrid } from '../../document/limits';
import { assemblePolygons } from '../assemble';

type Node = { readonly x: number; readonly y: number; next: Node };
type Crossing = { readonly node: Node; readonly along: number };

/**
 * Cuts a polygon along a segment wherever the segment passes through it from border to border. Rings become
 * linked lists with a node at each crossing; along the segment, crossings alternate between entering and leaving,
 * and swapping the successors of such a pair closes both sides along the cut. Nothing when no piece comes off.
 */
export function slicePolygon(shape: PolygonShape, from: Point, to: Point): PolygonShape[] | undefined {
  const nodes: Node[] = [];
  const crossings: Crossing[] = [];
  linkRing(clockwise(shape.outer), from, to, nodes, crossings);
  for (const hole of shape.holes) linkRing(counterClockwise(hole), from, to, nodes, crossings);
  crossings.sort((a, b) => a.along - b.along);
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const enter = crossings[i] as Crossing;
    const leave = crossings[i + 1] as Crossing;
    // A cut that starts or ends inside of the polygon would leave a slit, not two sides.
    if (enter.along < 0 || leave.along > 1) continue;
    bridge(enter.node, leave.node, nodes);
  }
  const pieces = assemblePolygons(walkRings(nodes), shape.op);
  return pieces.length > 1 ? pieces : undefined;
}

/** Crossings are counted on the whole line, so that entering and leaving stay paired beyond the segment's ends. */
function linkRing(ring: Ring, from: Point, to: Point, nodes: Node[], crossings: Crossing[]): void {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const side = (x: number, y: number) => dx * (y - from[1]) - dy * (x - from[0]);
  let first: Node | undefined;
  let last: Node | undefined;
  const append = (x: number, y: number): Node => {
    const node = { x, y } as Node;
    if (last) last.next = node;
    first ??= node;
    node.next = first;
    last = node;
    nodes.push(node);
    return node;
  };
  for (let i = 0; i < ring.length; i += 2) {
    const [ax, ay] = [ring[i] as number, ring[i + 1] as number];
    const bx = ring[(i + 2) % ring.length] as number;
    const by = ring[(i + 3) % ring.length] as number;
    append(ax, ay);
    const sideA = side(ax, ay);
    const sideB = side(bx, by);
    // A vertex on the line counts as being to one side of it: every crossing is then counted once.
    if (sideA >= 0 === sideB >= 0) continue;
    const t = sideA / (sideA - sideB);
    const [x, y] = [ax + t * (bx - ax), ay + t * (by - ay)];
    const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
    crossings.push({ node: append(onGrid(x), onGrid(y)), along });
  }
}

function bridge(a: Node, b: Node, nodes: Node[]): void {
  const afterA: Node = { x: a.x, y: a.y, next: a.next };
  const afterB: Node = { x: b.x, y: b.y, next: b.next };
  a.next = afterB;
  b.next = afterA;
  nodes.push(afterA, afterB);
}

function walkRings(nodes: readonly Node[]): Float64Array[] {
  const seen = new Set<Node>();
  const rings: Float64Array[] = [];
  for (const start of nodes) {
    const points: number[] = [];
    for (let node = start; !seen.has(node); node = node.next) {
      seen.add(node);
      points.push(node.x, node.y);
    }
    const clean = cleanRing(points);
    if (clean) rings.push(clean.ring);
  }
  return rings;
}
