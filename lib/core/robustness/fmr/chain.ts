import type { Picture } from '../picture';
import type { Stream } from '../random/stream';
import type { Generator, Score } from './generators';
import type { LatentSpace } from './latent-walk';

/** Which accepted picture stands for the image: the furthest one, or the one the model does worst on. */
export type Selection = 'last' | 'maxLoss';

export interface ChainSettings {
  generator: Generator;
  /** Pictures that are made at most. */
  budget: number;
  selection: Selection;
  /** For a generator that draws. */
  space?: LatentSpace | null;
}

export interface Chain {
  /** The oracle still saw the class in the first one. */
  isValidated: boolean;
  /** As it was given, where it was not validated. */
  picture: Picture;
  /** Pictures that were accepted, one after the other. */
  steps: number;
  /** Place of the chosen one; null where none was accepted. */
  chosen: number | null;
  /** The model's loss on it. */
  loss: number | null;
}

/**
 * Goes on changing a picture as long as the oracle sees its class, and no further (FMR's Algorithm 1). It does not stop
 * when the model is fooled: what counts is the furthest picture that is still of the class.
 */
export async function runChain(
  given: Picture,
  { generator, budget, selection, space }: ChainSettings,
  chance: Stream,
  score: Score,
  accepts: (picture: Picture) => Promise<boolean>,
): Promise<Chain> {
  const chain: Chain = { isValidated: false, picture: given, steps: 0, chosen: null, loss: null };
  let here = given;
  for (let step = 0; step < budget; step++) {
    here = await generator.next(here, chance, score, space);
    if (!(await accepts(here))) break;
    const [loss = 0] = await score([here]);
    chain.isValidated = true;
    chain.steps = step + 1;
    if (selection === 'last' || chain.loss === null || loss > chain.loss)
      Object.assign(chain, { picture: here, chosen: step, loss });
  }
  return chain;
}

/** All pictures of a chain, whatever anybody sees in them: for people, who are asked about few of them (`nextQuestion`). */
export async function wholeChain(
  given: Picture,
  { generator, budget, space }: Omit<ChainSettings, 'selection'>,
  chance: Stream,
  score: Score,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (let here = given; pictures.length < budget; ) {
    here = await generator.next(here, chance, score, space);
    pictures.push(here);
  }
  return pictures;
}
