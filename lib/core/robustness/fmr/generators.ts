import { type Ball, projectToBall } from '../attacks/victim';
import { CHANNELS, mapPicture, mapPlanes, type Picture, planeOf } from '../picture';
import { blurredPicture } from '../pixels/blur';
import { sampleBilinear } from '../pixels/resample';
import type { Rng } from '../random';
import type { Need } from '../types';

/** Loss of the model on each picture, which a generator maximises. */
export type Score = (pictures: readonly Picture[]) => Promise<number[]>;

/** Generates the next picture of an adversarial chain. */
export interface Generator {
  id: string;
  description: string;
  parameters: Readonly<Record<string, number>>;
  /** Requirements in addition to an oracle. */
  needs?: readonly Need[];
  /** Model runs per step. */
  runs: number;
  next(picture: Picture, rng: Rng, score: Score, space?: LatentSpace | null): Promise<Picture>;
}

/** Returns the picture with the largest loss, the first of equals. */
async function selectWorst(pictures: readonly Picture[], score: Score): Promise<Picture> {
  const scores = await score(pictures);
  const best = scores.reduce((found, value, i) => (value > (scores[found] as number) ? i : found), 0);
  return pictures[best] as Picture;
}

/** Random search over small changes of colour, sharpness and position. Score-based. */
export const searchGenerator = ({ candidates = 8 } = {}): Generator => ({
  id: 'search',
  description: `the worst of ${candidates} small changes of hue, contrast, sharpness, noise or place`,
  parameters: { candidates },
  runs: candidates,
  next: (picture, rng, score) =>
    selectWorst(
      Array.from({ length: candidates }, () => randomSmallChange(picture, rng)),
      score,
    ),
});

/** Random squares of a constant colour shift, like the Square attack. A step can leave the picture unchanged. */
export const squaresGenerator = ({ candidates = 8, amount = 0.06, share = 0.05 } = {}): Generator => ({
  id: 'squares',
  description: `the worst of ${candidates} squares that are made lighter or darker`,
  parameters: { candidates, amount, share },
  runs: candidates + 1,
  next: (picture, rng, score) => {
    const { width, height } = picture;
    const side = Math.min(Math.max(1, Math.round(Math.sqrt(share * width * height))), width, height);
    const area = width * height;
    const ball: Ball = { centre: picture, eps: amount, region: null };
    const tried = Array.from({ length: candidates }, () => {
      const [left, top] = [rng.below(width - side + 1), rng.below(height - side + 1)];
      const signs = Array.from({ length: CHANNELS }, () => (rng.unit() < 0.5 ? -1 : 1));
      return projectToBall(ball, (at, value) => {
        const [x, y] = [at % width, Math.floor((at % area) / width)];
        const isIn = x >= left && x < left + side && y >= top && y < top + side;
        return isIn ? value + amount * (signs[Math.floor(at / area)] as number) : value;
      });
    });
    return selectWorst([picture, ...tried], score);
  },
});

/** Control: the same changes without model guidance, which measures the effect of the changes alone. */
export const randomGenerator = (): Generator => ({
  id: 'random',
  description: 'small changes by chance, without asking the model',
  parameters: {},
  runs: 0,
  next: async (picture, rng) => randomSmallChange(picture, rng),
});

/** Control: no change, so FMR on validated images is 100 %. */
export const identityGenerator = (): Generator => ({
  id: 'identity',
  description: 'no change at all',
  parameters: {},
  runs: 0,
  next: async (picture) => picture,
});

/** A change that is hardly visible; repeated changes become visible. */
type SmallChange = (picture: Picture, rng: Rng) => Picture;

const between = (rng: Rng, low: number, high: number): number => low + (high - low) * rng.unit();
/** Random sign, magnitude from `least` to `most`. */
const aside = (rng: Rng, min: number, max: number): number =>
  (rng.unit() < 0.5 ? -1 : 1) * between(rng, min, max);

/** Rotates the colours about the gray axis. */
function hue(picture: Picture, rng: Rng): Picture {
  const angle = aside(rng, 0.03, 0.15);
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

function contrast(picture: Picture, rng: Rng): Picture {
  const [by, brighter] = [1 + aside(rng, 0.02, 0.12), between(rng, -0.03, 0.03)];
  const mean = picture.data.reduce((sum, value) => sum + value, 0) / picture.data.length;
  return mapPicture(picture, (value) => mean + by * (value - mean) + brighter);
}

const blur: SmallChange = (picture, rng) =>
  blurredPicture(picture, between(rng, 0.3, 0.6) * Math.max(1, picture.width / 64));

function noise(picture: Picture, rng: Rng): Picture {
  const sigma = between(rng, 0.01, 0.04);
  return mapPicture(picture, (value) => value + sigma * rng.normal());
}

/** Rotates and shifts; the border is repeated outwards. */
function moved(picture: Picture, angle: number, right: number, down: number): Picture {
  const { width, height } = picture;
  const [cos, sin, middleX, middleY] = [Math.cos(angle), Math.sin(angle), (width - 1) / 2, (height - 1) / 2];
  return mapPlanes(picture, (plane) =>
    Float32Array.from({ length: width * height }, (_, i) => {
      const [x, y] = [(i % width) - middleX - right, Math.floor(i / width) - middleY - down];
      return sampleBilinear(plane, width, height, cos * x + sin * y + middleX, cos * y - sin * x + middleY);
    }),
  );
}

const turn: SmallChange = (picture, rng) => moved(picture, aside(rng, 0.01, 0.06), 0, 0);

function shift(picture: Picture, rng: Rng): Picture {
  const max = 0.03 * Math.min(picture.width, picture.height);
  return moved(picture, 0, between(rng, -max, max), between(rng, -max, max));
}

export const smallChanges = { hue, contrast, blur, noise, turn, shift } satisfies Record<string, SmallChange>;

/** Applies a random small change. */
function randomSmallChange(picture: Picture, rng: Rng): Picture {
  const all = Object.values(smallChanges);
  return (all[rng.below(all.length)] as SmallChange)(picture, rng);
}

/** Latent space of an autoencoder. */
export interface LatentSpace {
  encode(pictures: readonly Picture[]): Promise<Float32Array[]>;
  decode(places: readonly Float32Array[]): Promise<Picture[]>;
}

/**
 * Random walk in a latent space: several steps are tried from the current code and the one with the largest loss is kept.
 * `step` is in units of the root mean square of the code.
 */
export function latentGenerator({ candidates = 8, step = 0.1 } = {}): Generator {
  // Decoded pictures keep their latent code; encoding them again would give another code.
  const places = new WeakMap<Picture, Float32Array>();
  return {
    id: 'decoder',
    description: `the worst of ${candidates} steps of ${step} among the pictures that a decoder draws`,
    parameters: { candidates, step },
    needs: ['decoder'],
    runs: candidates,
    async next(picture, rng, score, space) {
      if (!space) throw new Error('The generator needs a decoder.');
      const here = places.get(picture) ?? (await encodeOne(picture, space));
      const length = step * spread(here);
      const tried = Array.from({ length: candidates }, () =>
        here.map((value) => value + length * rng.normal()),
      );
      const drawn = await space.decode(tried);
      drawn.forEach((each, i) => {
        places.set(each, tried[i] as Float32Array);
      });
      return selectWorst(drawn, score);
    },
  };
}

/** Control: reconstruction without a step, which measures the loss caused by the autoencoder. */
export const reconstructionGenerator = (): Generator => ({
  id: 'rebuilt',
  description: 'the picture as the decoder draws it, without a step',
  parameters: {},
  needs: ['decoder'],
  runs: 0,
  async next(picture, _chance, _score, space) {
    if (!space) throw new Error('The generator needs a decoder.');
    const [drawn = picture] = await space.decode([await encodeOne(picture, space)]);
    return drawn;
  },
});

async function encodeOne(picture: Picture, space: LatentSpace): Promise<Float32Array> {
  const [place] = await space.encode([picture]);
  if (!place) throw new Error('The encoder returned no latent code.');
  return place;
}

/** Root mean square; 1 if all values are zero. */
function spread(place: Float32Array): number {
  let sum = 0;
  for (const value of place) sum += value * value;
  return Math.sqrt(sum / place.length) || 1;
}
