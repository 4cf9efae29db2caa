import type { Picture } from '../../picture';
import { filledSmoothly } from '../../pixels/fill-smooth';
import { mapPlanes } from '../../pixels/planes';
import type { Region } from '../../region';
import { filled } from '../compose';
import { filledByTiles } from './tile';

/** What takes the place of an object that was taken out. */
export const fillers = ['smooth', 'tile', 'mean', 'gray'] as const;
export type Filler = (typeof fillers)[number];

/** A picture without its object; null where a filler finds nothing to fill with. Needs an object with a background. */
export function plateOf(picture: Picture, object: Region, filler: Filler): Picture | null {
  if (filler === 'smooth') return filledSmoothly(picture, object);
  if (filler === 'tile') return filledByTiles(picture, object, object);
  if (filler === 'gray') return filled(picture, object);
  return mapPlanes(picture, (plane) => {
    let [sum, n] = [0, 0];
    plane.forEach((value, i) => {
      if (object[i]) return;
      sum += value;
      n += 1;
    });
    return plane.map((value, i) => (object[i] ? sum / n : value));
  });
}
