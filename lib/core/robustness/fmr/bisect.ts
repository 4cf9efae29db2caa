/** Either the next picture that has to be shown, or what is known in the end. */
export type Bisection =
  | { ask: number }
  /** The furthest accepted picture; null where even the first was refused. */
  | { last: number | null };

/**
 * Finds the furthest picture of a chain that people still accept, with few questions: once refused, always refused is
 * taken for granted, so each answer halves what is left. The first picture is asked about first, because it decides
 * whether the image counts; then 1 + ⌈log₂ B⌉ questions are enough. Answers may come in any order and from any number of
 * people at once: the same answers give the same next question.
 */
export function nextQuestion(length: number, answers: ReadonlyMap<number, boolean>): Bisection {
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
export function nextOfTwo(length: number, answers: ReadonlyMap<number, boolean>): Bisection {
  if (length === 0) return { last: null };
  for (const at of [length - 1, Math.floor((length - 1) / 2)]) {
    const answer = answers.get(at);
    if (answer === undefined) return { ask: at };
    if (answer) return { last: at };
  }
  return { last: null };
}

/** Questions that `nextQuestion` needs at most. */
export const mostQuestions = (length: number): number =>
  length === 0 ? 0 : 1 + Math.ceil(Math.log2(length));
