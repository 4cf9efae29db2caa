/** Somebody known to be worse than chance says nothing, rather than the opposite; nobody is beyond error. */
const [WORST, BEST] = [0.5, 0.99];

export type Vote = { accuracy: number; isFor: boolean };

/** The chance that a statement is true, given who says so and who denies it; both equally likely beforehand. */
export function chanceOf(votes: readonly Vote[]): number {
  const odds = votes.reduce((sum, { accuracy, isFor }) => {
    const right = Math.min(BEST, Math.max(WORST, accuracy));
    return sum + (isFor ? 1 : -1) * Math.log(right / (1 - right));
  }, 0);
  return 1 / (1 + Math.exp(-odds));
}

export const certaintyOf = (chance: number): number => Math.max(chance, 1 - chance);
