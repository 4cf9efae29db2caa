import type { Mask } from './mask';
import { toRegions } from './regions';

/** The borders of a mask as the path data of an SVG in pixels of the image; to be filled by the even-odd rule. */
export function outlinePath(mask: Mask): string {
  return toRegions(mask)
    .flatMap((region) => [region.outer, ...region.holes])
    .map(ringPath)
    .join('');
}

function ringPath(ring: readonly number[]): string {
  const points: string[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(`${ring[i]} ${ring[i + 1]}`);
  return `M${points.join('L')}Z`;
}
