import type { Picture } from '../picture';
import type { Rng } from '../random';
import type { Generator, LatentSpace, Score } from './generators';

/** Which accepted picture stands for the image: the furthest one, or the one the model does worst on. */
export type Selection = 'last' | 'maxLoss';

interface ChainSettings {
  generator: Generator;
  /** Pictures that are made at most. */
  budget: number;
  selection: Selection;
  /** For a generator that draws. */
  space?: LatentSpace | null;
}

interface Chain {
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

/** All pictures of a chain, whatever anybody sees in them: for people, who are asked about few of them (`nextQuestion`). */
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

/** Either the next picture that has to be shown, or what is known in the end. */
export type NextQuestion =
  | { ask: number }
  /** The furthest accepted picture; null where even the first was refused. */
  | { last: number | null };

/**
 * Finds the furthest picture of a chain that people still accept, with few questions: once refused, always refused is
 * taken for granted, so each answer halves what is left. The first picture is asked about first, because it decides
 * whether the image counts; then 1 + ⌈log₂ B⌉ questions are enough. Answers may come in any order and from any number of
 * people at once: the same answers give the same next question.
 */
export function nextQuestion(length: number, answers: ReadonlyMap<number, boolean>): NextQuestion {
  if (length === 0) return { last: null };
  const first = answers.get(0);
  if (first === undefined) return { ask: 0 };
  if (!first) return { last: null };
  // Beyond a refusal nothing is looked at, also where somebody said yes there.
  let refused = length;
  for (const [at, isAccepted] of answers) if (!isAccepted && at > 0) refused = Math.min(refused, at);
  let accepted = 0;
  for (const [at, isAccepted] of answers) if (isAccepted && at < refused) accepted = Math.max(accepted, at);
  if (refused - accepted <= 1) return { last: accepted };
  return { ask: accepted + Math.floor((refused - accepted) / 2) };
}

/** The cheap way: the last picture, and where it is refused the middle one. What lies between is not looked for. */
export function nextOfTwoQuestions(length: number, answers: ReadonlyMap<number, boolean>): NextQuestion {
  if (length === 0) return { last: null };
  for (const at of [length - 1, Math.floor((length - 1) / 2)]) {
    const answer = answers.get(at);
    if (answer === undefined) return { ask: at };
    if (answer) return { last: at };
  }
  return { last: null };
}

/** Questions that `nextQuestion` needs at most. */
export const maxQuestions = (length: number): number => (length === 0 ? 0 : 1 + Math.ceil(Math.log2(length)));
