import type { Picture } from '../picture';
import { type Generator, worst } from './generators';

/** Pictures as places in a smaller space, by a network that finds the place of a picture and the picture of a place. */
export interface LatentSpace {
  encode(pictures: readonly Picture[]): Promise<Float32Array[]>;
  decode(places: readonly Float32Array[]): Promise<Picture[]>;
}

/**
 * A walk among the pictures that a network can draw: several steps are tried from where the last picture lies, and the
 * one that the model does worst on is taken. `step` is in units of the spread of the place's numbers.
 */
export function latentGenerator({ candidates = 8, step = 0.1 } = {}): Generator {
  // A picture that was drawn knows its place: found again by the encoder, it would be another.
  const places = new WeakMap<Picture, Float32Array>();
  return {
    id: 'decoder',
    says: `the worst of ${candidates} steps of ${step} among the pictures that a decoder draws`,
    parameters: { candidates, step },
    needs: ['decoder'],
    runs: candidates,
    async next(picture, chance, score, space) {
      if (!space) throw new Error('This generator needs a decoder.');
      const here = places.get(picture) ?? (await placeOf(picture, space));
      const length = step * spread(here);
      const tried = Array.from({ length: candidates }, () =>
        here.map((value) => value + length * chance.normal()),
      );
      const drawn = await space.decode(tried);
      drawn.forEach((each, i) => {
        places.set(each, tried[i] as Float32Array);
      });
      return worst(drawn, score);
    },
  };
}

/** Control: what the network makes of a picture that does not move. What is lost here, no walk has lost. */
export const rebuiltGenerator = (): Generator => ({
  id: 'rebuilt',
  says: 'the picture as the decoder draws it, without a step',
  parameters: {},
  needs: ['decoder'],
  runs: 0,
  async next(picture, _chance, _score, space) {
    if (!space) throw new Error('This generator needs a decoder.');
    const [drawn = picture] = await space.decode([await placeOf(picture, space)]);
    return drawn;
  },
});

async function placeOf(picture: Picture, space: LatentSpace): Promise<Float32Array> {
  const [place] = await space.encode([picture]);
  if (!place) throw new Error('The encoder found no place.');
  return place;
}

/** Root of the mean square; of nothing but zeros 1. */
function spread(place: Float32Array): number {
  let sum = 0;
  for (const value of place) sum += value * value;
  return Math.sqrt(sum / place.length) || 1;
}
