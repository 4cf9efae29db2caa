import { bootstrap, weightedMean } from '../metrics/estimates';
import type { Finding, SuiteReport } from './report';
import { estimateShare, isCorrect, measureAccuracy, type RowTable, type Subject } from './row-table';

/** People agree where the least of their agreements is at least this. */
const UNANIMOUS = 0.95;

/** Accuracy by how far labels can be trusted, and errors that are probably the labels'. */
export function labelQualityReport(table: RowTable, seed: number): SuiteReport {
  const seen = table.subjects.filter(({ id }) => table.one('identity', id));
  const right = Float64Array.from(seen, (subject) => {
    const row = table.one('identity', subject.id);
    return row && isCorrect(row, subject) ? 1 : 0;
  });
  const weights = Float64Array.from(seen, ({ confidence }) => confidence);
  const weighted = weightedMean(right, weights);
  const of = table.subjects.length;
  const agreed = table.subjects.filter(({ agreement }) => typeof agreement === 'number');
  const unanimous = agreed.filter(({ agreement }) => (agreement as number) >= UNANIMOUS);
  const findings: Finding[] = [
    {
      ...bootstrap(
        seen.length,
        (times) =>
          weightedMean(
            right,
            weights.map((weight, i) => weight * (times[i] as number)),
          )?.mean ?? null,
        { seed, of },
      ),
      id: 'weighted-accuracy',
      name: 'Confidence-weighted accuracy',
      says: `Weighted by label confidence. Effective sample size: ${Math.round(weighted?.effective ?? 0)} of ${seen.length} images.`,
      unit: 'share',
    },
    ...(agreed.length > 0
      ? [
          {
            ...measureAccuracy(table, 'identity', unanimous),
            of,
            id: 'unanimous-accuracy',
            name: 'Accuracy on unanimous labels',
            says: `On images with several answers and an agreement of at least ${100 * UNANIMOUS} %.`,
            unit: 'share' as const,
          },
        ]
      : []),
    labelErrors(table),
  ];
  return { findings, lines: [], plots: [], skipped: [], notes: [] };
}

function labelErrors(table: RowTable): Finding {
  const suspicions = labelSuspicionsById(table);
  const errors = table.subjects.filter((subject) => {
    const row = table.one('identity', subject.id);
    return row && !isCorrect(row, subject);
  });
  const suspects = errors.filter(({ id }) => suspicions.get(id)?.isSuspect).length;
  return {
    ...estimateShare(suspects, errors.length, table.subjects.length),
    id: 'label-errors',
    name: 'Errors that are likely label errors',
    says: `${suspects} of ${errors.length} errors: the model is at least as confident in its prediction as on images labelled with that class, and the label confidence does not outweigh it. Sort the images by label suspicion to review them.`,
    unit: 'share',
  };
}

/** Of each image with an answer, by its id. */
export function labelSuspicionsById(table: RowTable): Map<string, LabelSuspicion> {
  const judged = table.subjects.flatMap((subject) => {
    const row = table.one('identity', subject.id);
    return row ? [{ subject, row }] : [];
  });
  const found = estimateLabelErrors(
    judged.map(({ subject, row: { predicted, pTrue, margin } }) => ({
      truth: subject.classIndex,
      predicted,
      pTrue,
      margin,
      reliability: labelReliability(subject),
    })),
    table.classes.length,
  );
  return new Map(judged.map(({ subject }, i) => [subject.id, found[i] as LabelSuspicion]));
}

/** What the label says of itself, and what those who gave it say of each other: the lesser. */
const labelReliability = ({ confidence, agreement }: Subject): number => Math.min(confidence, agreement ?? 1);

/** What a model says of an image, and how far its label can be trusted. */
interface Judged {
  truth: number;
  predicted: number;
  /** Probability of the labelled class. */
  pTrue: number;
  /** Logit of the labelled class minus the best other. */
  margin: number;
  /** The chance that the label is right as far as people are known, 0 to 1. */
  reliability: number;
}

interface LabelSuspicion {
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
export function estimateLabelErrors(images: readonly Judged[], classes: number): LabelSuspicion[] {
  const [sums, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (const { truth, pTrue } of images) {
    sums[truth] = (sums[truth] as number) + pTrue;
    counts[truth] = (counts[truth] as number) + 1;
  }
  return images.map(({ truth, predicted, pTrue, margin, reliability }) => {
    const sure = Math.min(MOST, Math.max(LEAST, reliability));
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
