/** What a model says of an image, and how far its label can be trusted. */
export interface Judged {
  truth: number;
  predicted: number;
  /** Probability of the labelled class. */
  pTrue: number;
  /** Logit of the labelled class minus the best other. */
  margin: number;
  /** The chance that the label is right as far as people are known, 0 to 1. */
  sureness: number;
}

export interface Suspicion {
  /** The chance that the label is wrong, by the label's own and the model's odds: what images are ordered by. */
  suspicion: number;
  /** An error of the model that is probably one of the label. */
  isSuspect: boolean;
}

/** No label is beyond error, and none is certainly wrong before somebody has looked. */
const [LEAST, MOST] = [0.02, 0.98];
const LIKELY = 0.5;

/**
 * Odds of a wrong label = odds by its sureness × (probability of the best other class ÷ that of the labelled one), as Bayes'
 * rule has it where the model is taken at its word. Models are not to be taken at their word, so that an error is called
 * the label's only where the model is at least as sure of its own class as it is on average where that class is labelled
 * (confident learning: Northcutt, Jiang, Chuang 2021).
 */
export function labelSuspicions(images: readonly Judged[], classes: number): Suspicion[] {
  const [sums, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (const { truth, pTrue } of images) {
    sums[truth] = (sums[truth] as number) + pTrue;
    counts[truth] = (counts[truth] as number) + 1;
  }
  return images.map(({ truth, predicted, pTrue, margin, sureness }) => {
    const sure = Math.min(MOST, Math.max(LEAST, sureness));
    const suspicion = 1 / (1 + (sure / (1 - sure)) * Math.exp(margin));
    const usual = counts[predicted] ? (sums[predicted] as number) / (counts[predicted] as number) : null;
    const isSuspect =
      predicted !== truth &&
      suspicion >= LIKELY &&
      usual !== null &&
      probabilityOfBest(pTrue, margin) >= usual;
    return { suspicion, isSuspect };
  });
}

/** Of the best other class; what is too small to be written as a number leaves nothing to the labelled one. */
const probabilityOfBest = (pTrue: number, margin: number): number =>
  pTrue > 0 ? Math.min(1, pTrue * Math.exp(-margin)) : 1;
