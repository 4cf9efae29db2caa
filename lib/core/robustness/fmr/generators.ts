import { type Ball, within } from '../attacks/ball';
import { CHANNELS, type Picture } from '../picture';
import type { Stream } from '../random/stream';
import type { Need } from '../types';
import type { LatentSpace } from './latent-walk';
import { anyChange } from './small-changes';

/** How badly the model does on each picture: what a generator tries to raise. */
export type Score = (pictures: readonly Picture[]) => Promise<number[]>;

/** Makes one picture of another, a step further from what the model knows. */
export interface Generator {
  id: string;
  says: string;
  parameters: Readonly<Record<string, number>>;
  /** Beside an oracle. */
  needs?: readonly Need[];
  /** Questions to the model for one step. */
  runs: number;
  next(picture: Picture, chance: Stream, score: Score, space?: LatentSpace | null): Promise<Picture>;
}

/** Of several, the one the model does worst on; of equal ones the first. */
export async function worst(pictures: readonly Picture[], score: Score): Promise<Picture> {
  const scores = await score(pictures);
  const best = scores.reduce((found, value, i) => (value > (scores[found] as number) ? i : found), 0);
  return pictures[best] as Picture;
}

/** Small changes of colour, sharpness and place, several tried at each step. Needs nothing but logits. */
export const searchGenerator = ({ candidates = 8 } = {}): Generator => ({
  id: 'search',
  says: `the worst of ${candidates} small changes of hue, contrast, sharpness, noise or place`,
  parameters: { candidates },
  runs: candidates,
  next: (picture, chance, score) =>
    worst(
      Array.from({ length: candidates }, () => anyChange(picture, chance)),
      score,
    ),
});

/** Squares of one colour shift, as the Square attack tries them. A step may also change nothing. */
export const squaresGenerator = ({ candidates = 8, amount = 0.06, share = 0.05 } = {}): Generator => ({
  id: 'squares',
  says: `the worst of ${candidates} squares that are made lighter or darker`,
  parameters: { candidates, amount, share },
  runs: candidates + 1,
  next: (picture, chance, score) => {
    const { width, height } = picture;
    const side = Math.min(Math.max(1, Math.round(Math.sqrt(share * width * height))), width, height);
    const area = width * height;
    const ball: Ball = { centre: picture, eps: amount, region: null };
    const tried = Array.from({ length: candidates }, () => {
      const [left, top] = [chance.below(width - side + 1), chance.below(height - side + 1)];
      const signs = Array.from({ length: CHANNELS }, () => (chance.unit() < 0.5 ? -1 : 1));
      return within(ball, (at, value) => {
        const [x, y] = [at % width, Math.floor((at % area) / width)];
        const isIn = x >= left && x < left + side && y >= top && y < top + side;
        return isIn ? value + amount * (signs[Math.floor(at / area)] as number) : value;
      });
    });
    return worst([picture, ...tried], score);
  },
});

/** Control: the same changes without asking the model. What it finds is not the model's weakness but the changes'. */
export const randomGenerator = (): Generator => ({
  id: 'random',
  says: 'small changes by chance, without asking the model',
  parameters: {},
  runs: 0,
  next: async (picture, chance) => anyChange(picture, chance),
});

/** Control: nothing changes, so everything must come out at 100 %. */
export const identityGenerator = (): Generator => ({
  id: 'identity',
  says: 'no change at all',
  parameters: {},
  runs: 0,
  next: async (picture) => picture,
});
