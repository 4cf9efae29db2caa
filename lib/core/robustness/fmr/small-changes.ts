import { mapPicture, type Picture } from '../picture';
import { blurredPicture } from '../pixels/gaussian-blur';
import { mapPlanes, planeOf } from '../pixels/planes';
import { valueAt } from '../pixels/value-at';
import type { Stream } from '../random/stream';

/** A change that hardly anybody would notice; many of them one after the other are noticed. */
export type SmallChange = (picture: Picture, chance: Stream) => Picture;

const between = (chance: Stream, low: number, high: number): number => low + (high - low) * chance.unit();
/** Either less or more, and never nothing. */
const aside = (chance: Stream, least: number, most: number): number =>
  (chance.unit() < 0.5 ? -1 : 1) * between(chance, least, most);

/** Turns the colours about the gray axis. */
function hue(picture: Picture, chance: Stream): Picture {
  const angle = aside(chance, 0.03, 0.15);
  const [cos, third, root] = [Math.cos(angle), (1 - Math.cos(angle)) / 3, Math.sin(angle) / Math.sqrt(3)];
  const planes = [0, 1, 2].map((channel) => planeOf(picture, channel)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return mapPicture(picture, (value, pixel, channel) => {
    const next = planes[(channel + 1) % 3]?.[pixel] as number;
    const last = planes[(channel + 2) % 3]?.[pixel] as number;
    return (cos + third) * value + (third - root) * next + (third + root) * last;
  });
}

function contrast(picture: Picture, chance: Stream): Picture {
  const [by, brighter] = [1 + aside(chance, 0.02, 0.12), between(chance, -0.03, 0.03)];
  const mean = picture.data.reduce((sum, value) => sum + value, 0) / picture.data.length;
  return mapPicture(picture, (value) => mean + by * (value - mean) + brighter);
}

const blur: SmallChange = (picture, chance) =>
  blurredPicture(picture, between(chance, 0.3, 0.6) * Math.max(1, picture.width / 64));

function noise(picture: Picture, chance: Stream): Picture {
  const sigma = between(chance, 0.01, 0.04);
  return mapPicture(picture, (value) => value + sigma * chance.normal());
}

/** Turned and shifted a little; what comes from outside repeats the edge. */
function moved(picture: Picture, angle: number, right: number, down: number): Picture {
  const { width, height } = picture;
  const [cos, sin, middleX, middleY] = [Math.cos(angle), Math.sin(angle), (width - 1) / 2, (height - 1) / 2];
  return mapPlanes(picture, (plane) =>
    Float32Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [(i % width) - middleX - right, Math.floor(i / width) - middleY - down];
      return valueAt(plane, width, height, cos * x + sin * y + middleX, cos * y - sin * x + middleY);
    }),
  );
}

const turn: SmallChange = (picture, chance) => moved(picture, aside(chance, 0.01, 0.06), 0, 0);

function shift(picture: Picture, chance: Stream): Picture {
  const most = 0.03 * Math.min(picture.width, picture.height);
  return moved(picture, 0, between(chance, -most, most), between(chance, -most, most));
}

export const smallChanges = { hue, contrast, blur, noise, turn, shift } satisfies Record<string, SmallChange>;

/** One of them by chance. */
export function anyChange(picture: Picture, chance: Stream): Picture {
  const all = Object.values(smallChanges);
  return (all[chance.below(all.length)] as SmallChange)(picture, chance);
}
