import type { Picture } from '../picture';
import type { Region } from '../region';
import { filled } from '../variants/compose';

/**
 * How much a class loses when a region is gray: what can be seen of any model. One run for each region and one for the
 * picture as it is. Pixels of several regions get the most of them; what helps the class when hidden counts as nothing.
 */
export async function occlusionMap(
  picture: Picture,
  regions: readonly Region[],
  target: number,
  query: (pictures: readonly Picture[]) => Promise<Float32Array[]>,
): Promise<{ map: Float32Array; drops: number[] }> {
  const map = new Float32Array(picture.width * picture.height);
  const said = await query([picture, ...regions.map((region) => filled(picture, region))]);
  const [clean = 0, ...hidden] = said.map((logits) => logits[target] as number);
  const drops = hidden.map((value) => clean - value);
  regions.forEach((region, i) => {
    for (let pixel = 0; pixel < map.length; pixel++)
      if (region[pixel]) map[pixel] = Math.max(map[pixel] as number, drops[i] as number);
  });
  const most = map.reduce((a, b) => Math.max(a, b), 0);
  return { map: most > 0 ? map.map((value) => value / most) : map, drops };
}

/** Squares side by side, for pictures on which nobody drew parts. */
export function tiles(width: number, height: number, side: number): Region[] {
  const found: Region[] = [];
  for (let top = 0; top < height; top += side)
    for (let left = 0; left < width; left += side)
      found.push(
        Uint8Array.from({ length: width * height }, (_, i) => {
          const [x, y] = [i % width, Math.floor(i / width)];
          return x >= left && x < left + side && y >= top && y < top + side ? 1 : 0;
        }),
      );
  return found;
}
