import { ringArea } from '@/lib/core/geometry';
import { type Mask, toRegions } from '@/lib/core/mask';

export interface StreetPolygon {
  label: string;
  polygon: [number, number][];
}

interface Piece extends StreetPolygon {
  size: number;
  isHole: boolean;
}

/**
 * Polygons that Cityscapes' own tools, whose fill includes the border, turn into the same pixels. A ring runs through the
 * middle of the outermost pixels. Tools paint in the order of the list, so what encloses comes first; a hole is painted as
 * "unlabeled" and what lies in it after that.
 */
export function polygonsOf(visible: readonly { label: string; mask: Mask }[]): StreetPolygon[] {
  const pieces: Piece[] = visible.flatMap(({ label, mask }) =>
    toRegions(mask).flatMap(({ outer, holes }) => [
      piece(label, outer, false),
      ...holes.map((hole) => piece('unlabeled', reversedRing(hole), true)),
    ]),
  );
  return pieces
    .sort((a, b) => b.size - a.size || Number(b.isHole) - Number(a.isHole))
    .map(({ label, polygon }) => ({ label, polygon }));
}

const piece = (label: string, ring: readonly number[], isHole: boolean): Piece => ({
  label,
  polygon: throughPixels(ring),
  size: Math.abs(ringArea(ring)),
  isHole,
});

function reversedRing(ring: readonly number[]): number[] {
  const points: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) points.push(ring[i] as number, ring[i + 1] as number);
  return points;
}

/**
 * A ring along pixel corners, clockwise on screen, moved into the pixels on its right: an edge that runs left or down has
 * them on the lower side of its coordinate.
 */
function throughPixels(ring: readonly number[]): [number, number][] {
  const count = ring.length / 2;
  const at = (i: number) => {
    const k = ((i + count) % count) * 2;
    return [ring[k] as number, ring[k + 1] as number] as const;
  };
  return Array.from({ length: count }, (_, i) => {
    const [before, here, after] = [at(i - 1), at(i), at(i + 1)];
    const [flat, steep] =
      before[1] === here[1]
        ? [here[0] - before[0], after[1] - here[1]]
        : [after[0] - here[0], here[1] - before[1]];
    return [steep > 0 ? here[0] - 1 : here[0], flat > 0 ? here[1] : here[1] - 1];
  });
}
