import { bootstrap, weightedMean } from '../metrics/estimates';
import type { Finding, SuiteReport } from './report';
import { estimateShare, isCorrect, measureAccuracy, type RowTable, type Subject } from './row-table';

/** Labels are unanimous if the lowest agreement is at least this. */
const UNANIMOUS = 0.95;

/** Reports accuracy by label reliability, and errors that are likely label errors. */
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

/** Maps the id of each image with an answer to its reliability. */
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

/** The lower of the label's confidence and the agreement between its workers. */
const labelReliability = ({ confidence, agreement }: Subject): number => Math.min(confidence, agreement ?? 1);

/** Prediction for an image, with the reliability of its label. */
interface Judged {
  truth: number;
  predicted: number;
  /** Probability of the labelled class. */
  pTrue: number;
  /** Logit of the labelled class minus the highest other logit. */
  margin: number;
  /** Probability that the label is right, without the model. */
  reliability: number;
}

interface LabelSuspicion {
  /** Probability that the label is wrong, combining label reliability and model output; the sort key. */
  suspicion: number;
  /** A misclassification that is likely a label error. */
  isSuspect: boolean;
}

/** Bounds of label reliability. */
const [MIN_PROBABILITY, MAX_PROBABILITY] = [0.02, 0.98];
const LIKELY = 0.5;

/**
 * Bayes' rule: odds of a wrong label = odds from its reliability × (probability of the best other class ÷ probability of
 * the labelled class). Because models are overconfident, a misclassification counts as a label error only if the model is
 * at least as confident as on average on images labelled with that class (confident learning: Northcutt, Jiang, Chuang
 * 2021).
 */
export function estimateLabelErrors(images: readonly Judged[], classes: number): LabelSuspicion[] {
  const [sums, counts] = [new Float64Array(classes), new Float64Array(classes)];
  for (const { truth, pTrue } of images) {
    sums[truth] = (sums[truth] as number) + pTrue;
    counts[truth] = (counts[truth] as number) + 1;
  }
  return images.map(({ truth, predicted, pTrue, margin, reliability }) => {
    const sure = Math.min(MAX_PROBABILITY, Math.max(MIN_PROBABILITY, reliability));
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

/** Probability of the best other class; 1 if the probability of the labelled class underflows. */
const probabilityOfBest = (pTrue: number, margin: number): number =>
  pTrue > 0 ? Math.min(1, pTrue * Math.exp(-margin)) : 1;
