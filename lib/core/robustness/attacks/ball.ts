import { CHANNELS, clipped, likePicture, type Picture } from '../picture';
import { type Region, regionBox } from '../region';

/** What an attack may change: every value by at most ε, within a region if there is one, and only to real colours. */
export interface Ball {
  centre: Picture;
  eps: number;
  /** Null: all of the picture. */
  region: Region | null;
}

/** Whether a value may be changed at all. */
export const isOpen = ({ region, centre }: Ball, at: number): boolean =>
  region === null || region[at % (centre.width * centre.height)] === 1;

/** A picture made value by value, brought back into the ball. */
export function within(ball: Ball, change: (at: number, value: number) => number): Picture {
  const { centre, eps } = ball;
  const out = likePicture(centre);
  for (let at = 0; at < centre.data.length; at++) {
    const value = centre.data[at] as number;
    if (!isOpen(ball, at)) {
      out.data[at] = value;
      continue;
    }
    const wanted = Math.min(Math.max(change(at, value), value - eps), value + eps);
    out.data[at] = clipped(wanted);
  }
  return out;
}

/** The box in which an attack with squares works. */
export const ballBox = ({ centre, region }: Ball) =>
  (region && regionBox(region, centre.width)) ?? { x: 0, y: 0, width: centre.width, height: centre.height };

/** Greatest change of any value. */
export function largestChange(a: Picture, b: Picture): number {
  let most = 0;
  for (let at = 0; at < CHANNELS * a.width * a.height; at++)
    most = Math.max(most, Math.abs((a.data[at] as number) - (b.data[at] as number)));
  return most;
}
