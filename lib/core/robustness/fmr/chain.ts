import type { Picture } from '../picture';
import type { Rng } from '../random';
import type { Generator, LatentSpace, Score } from './generators';

/** Which accepted picture represents the image: the furthest, or the one with the largest loss. */
export type Selection = 'last' | 'maxLoss';

interface ChainSettings {
  generator: Generator;
  /** Maximum number of pictures. */
  budget: number;
  selection: Selection;
  /** For the decoder generator. */
  space?: LatentSpace | null;
}

interface Chain {
  /** The oracle accepted the first picture. */
  isValidated: boolean;
  /** The clean picture if it was not validated. */
  picture: Picture;
  /** Number of accepted pictures. */
  steps: number;
  /** Index of the selected picture; null if none was accepted. */
  chosen: number | null;
  /** The model's loss on it. */
  loss: number | null;
}

/**
 * Perturbs a picture as long as the oracle recognises its class (Algorithm 1 of FMR). It does not stop when the model is
 * fooled, because the furthest accepted picture counts.
 */
export async function runChain(
  given: Picture,
  { generator, budget, selection, space }: ChainSettings,
  rng: Rng,
  score: Score,
  accepts: (picture: Picture) => Promise<boolean>,
): Promise<Chain> {
  const chain: Chain = { isValidated: false, picture: given, steps: 0, chosen: null, loss: null };
  let here = given;
  for (let step = 0; step < budget; step++) {
    here = await generator.next(here, rng, score, space);
    if (!(await accepts(here))) break;
    const [loss = 0] = await score([here]);
    chain.isValidated = true;
    chain.steps = step + 1;
    if (selection === 'last' || chain.loss === null || loss > chain.loss)
      Object.assign(chain, { picture: here, chosen: step, loss });
  }
  return chain;
}

/** Generates a whole chain without an oracle. Workers judge a few of its pictures (`nextQuestion`). */
export async function generateChain(
  given: Picture,
  { generator, budget, space }: Omit<ChainSettings, 'selection'>,
  rng: Rng,
  score: Score,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (let here = given; pictures.length < budget; ) {
    here = await generator.next(here, rng, score, space);
    pictures.push(here);
  }
  return pictures;
}

/** Either the next picture to judge, or the result. */
export type NextQuestion =
  | { ask: number }
  /** The furthest accepted picture; null if the first one was rejected. */
  | { last: number | null };

/**
 * Finds the furthest accepted picture of a chain by bisection, assuming that acceptance is monotone. The first picture is
 * judged first, because it decides whether the image is validated; then 1 + ⌈log₂ B⌉ questions suffice. The result depends
 * only on the set of answers, not on their order.
 */
export function nextQuestion(length: number, answers: ReadonlyMap<number, boolean>): NextQuestion {
  if (length === 0) return { last: null };
  const first = answers.get(0);
  if (first === undefined) return { ask: 0 };
  if (!first) return { last: null };
  // Pictures beyond a rejection are ignored, even if somebody accepted them.
  let refused = length;
  for (const [at, isAccepted] of answers) if (!isAccepted && at > 0) refused = Math.min(refused, at);
  let accepted = 0;
  for (const [at, isAccepted] of answers) if (isAccepted && at < refused) accepted = Math.max(accepted, at);
  if (refused - accepted <= 1) return { last: accepted };
  return { ask: accepted + Math.floor((refused - accepted) / 2) };
}

/** Cheaper alternative: judges the last picture and, if rejected, the middle one only. */
export function nextOfTwoQuestions(length: number, answers: ReadonlyMap<number, boolean>): NextQuestion {
  if (length === 0) return { last: null };
  for (const at of [length - 1, Math.floor((length - 1) / 2)]) {
    const answer = answers.get(at);
    if (answer === undefined) return { ask: at };
    if (answer) return { last: at };
  }
  return { last: null };
}

/** Maximum number of questions of `nextQuestion`. */
export const maxQuestions = (length: number): number => (length === 0 ? 0 : 1 + Math.ceil(Math.log2(length)));
