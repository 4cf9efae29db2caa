import { mean, quantileSorted } from 'd3-array';
import { rfs } from '../metrics/benchmark-scores';
import { draws, RESAMPLES } from '../metrics/estimates';
import type { Finding } from './report';

/** A number of two models on the same images. */
export interface PairedDifference extends Pick<ImageMeasure, 'id' | 'name' | 'unit' | 'better'> {
  first: number;
  second: number;
  /** Second minus first, with the ends of its 95 % interval. */
  difference: number;
  low: number | null;
  high: number | null;
  /** Images that both models have a part of the number on. */
  n: number;
}

type OutcomePair = readonly [first: ImageOutcome, second: ImageOutcome];

/**
 * Paired differences of all findings that both models have, from one set of bootstrap resamples. Pairing removes the
 * variance of image difficulty, which makes small differences detectable.
 */
export function pairedDifferences(
  pairs: readonly OutcomePair[],
  { seed = 0, only }: { seed?: number; only?: ReadonlySet<string> } = {},
): PairedDifference[] {
  const [first, second] = [0, 1].map((side) => namesOf(pairs.map((pair) => pair[side as 0 | 1])));
  const shared = [...(first ?? [])].filter((name) => second?.has(name)).sort();
  const measures = imageMeasures(shared)
    .filter(({ id }) => !only || only.has(id))
    .map((measure) => ({ measure, ...sidesOf(measure, pairs), drawn: [] as number[] }))
    .filter(({ at }) => at.length > 0);
  for (const times of draws(pairs.length, seed, RESAMPLES))
    for (const { at, own, difference, drawn } of measures) {
      for (let i = 0; i < at.length; i++) own[i] = times[at[i] as number] as number;
      const value = difference(own);
      if (value !== null) drawn.push(value);
    }
  return measures.flatMap(({ measure: { id, name, unit, better }, at, own, sides, drawn }) => {
    own.fill(1);
    const [a, b] = sides.map((side) => side(own));
    if (typeof a !== 'number' || typeof b !== 'number') return [];
    drawn.sort((x, y) => x - y);
    return [
      {
        ...{ id, name, unit, better, first: a, second: b, difference: b - a, n: at.length },
        low: quantileSorted(drawn, 0.025) ?? null,
        high: quantileSorted(drawn, 0.975) ?? null,
      },
    ];
  });
}

function sidesOf(measure: ImageMeasure, pairs: readonly OutcomePair[]) {
  const at = pairs.flatMap((pair, i) => (pair.every((outcome) => measure.holds(outcome)) ? [i] : []));
  const sides = ([0, 1] as const).map((side) =>
    measure.over(at.map((i) => (pairs[i] as OutcomePair)[side])),
  ) as [ReturnType<ImageMeasure['over']>, ReturnType<ImageMeasure['over']>];
  const difference = (times: ArrayLike<number>): number | null => {
    const [a, b] = [sides[0](times), sides[1](times)];
    return a === null || b === null ? null : b - a;
  };
  return { at, sides, difference, own: new Float64Array(at.length) };
}

function namesOf(outcomes: readonly ImageOutcome[]): Set<string> {
  const names = new Set<string>();
  for (const { scores } of outcomes) for (const name of Object.keys(scores)) names.add(name);
  return names;
}

/** What is kept of an image in an evaluation. */
export interface ImageOutcome {
  className: string;
  isRight: boolean;
  scores: Readonly<Record<string, number | null>>;
}

/** A number of an evaluation that can be made again from its images, so that two models are compared on the same draws. */
interface ImageMeasure {
  /** Of the finding that it is; `right <variant>` for the accuracy in one variant. */
  id: string;
  name: string;
  unit: Finding['unit'];
  better: 'more' | 'less';
  /** The image has a part in it. */
  holds(outcome: ImageOutcome): boolean;
  /** Counted once; the result takes how often each image was drawn. */
  over(outcomes: readonly ImageOutcome[]): (times: ArrayLike<number>) => number | null;
}

const score = (name: string) => (outcome: ImageOutcome) => outcome.scores[name] ?? null;
const clean = ({ isRight }: ImageOutcome): number => Number(isRight);

const minus =
  (first: (outcome: ImageOutcome) => number | null, second: (outcome: ImageOutcome) => number | null) =>
  (outcome: ImageOutcome) => {
    const [a, b] = [first(outcome), second(outcome)];
    return a === null || b === null ? null : a - b;
  };

type Named = Pick<ImageMeasure, 'id' | 'name' | 'unit' | 'better'>;

/** The mean of what each image says. */
const meanOf = (named: Named, value: (outcome: ImageOutcome) => number | null): ImageMeasure => ({
  ...named,
  holds: (outcome) => value(outcome) !== null,
  over(outcomes) {
    const values = Float64Array.from(outcomes, (outcome) => value(outcome) ?? 0);
    return (times) => {
      let [sum, n] = [0, 0];
      for (let i = 0; i < values.length; i++) {
        sum += (times[i] as number) * (values[i] as number);
        n += times[i] as number;
      }
      return n === 0 ? null : sum / n;
    };
  },
});

/** Foreground sensitivity: of accuracies in which every class counts the same. */
function sensitivity(id: string, name: string, norm: string): ImageMeasure {
  const [object, background] = [`right noise.object.${norm}`, `right noise.background.${norm}`].map(score);
  const both = (outcome: ImageOutcome) => [object?.(outcome) ?? null, background?.(outcome) ?? null] as const;
  return {
    ...{ id, name, unit: 'number', better: 'more' },
    holds: (outcome) => both(outcome).every((value) => value !== null),
    over(outcomes) {
      const classes = [...new Set(outcomes.map(({ className }) => className))];
      const at = Int32Array.from(outcomes, ({ className }) => classes.indexOf(className));
      const [front, behind] = [0, 1].map((i) =>
        Float64Array.from(outcomes, (outcome) => both(outcome)[i] ?? 0),
      ) as [Float64Array, Float64Array];
      return (times) => {
        const sums = Array.from(classes, () => ({ n: 0, front: 0, behind: 0 }));
        for (let i = 0; i < at.length; i++) {
          const own = sums[at[i] as number] as (typeof sums)[number];
          own.n += times[i] as number;
          own.front += (times[i] as number) * (front[i] as number);
          own.behind += (times[i] as number) * (behind[i] as number);
        }
        const seen = sums.filter(({ n }) => n > 0);
        if (seen.length === 0) return null;
        const meanOfClasses = (name: 'front' | 'behind') => mean(seen, (own) => own[name] / own.n) as number;
        return rfs(meanOfClasses('front'), meanOfClasses('behind'));
      };
    },
  };
}

/** Accuracy on the perturbed pictures that the oracle recognised, divided by that on all clean ones. */
const followed = (variant: string): ImageMeasure => ({
  ...{ id: 'fmr', name: 'Foundation-model-oriented robustness', unit: 'share', better: 'more' },
  holds: ({ scores }) => typeof scores[`valid ${variant}`] === 'number',
  over(outcomes) {
    const valid = outcomes.map(({ scores }) => scores[`valid ${variant}`] ?? 0);
    const right = outcomes.map(({ scores }) => scores[`right ${variant}`] ?? 0);
    return (times) => {
      let [n, seen, cleanRight, stillRight] = [0, 0, 0, 0];
      outcomes.forEach((outcome, i) => {
        const weight = times[i] as number;
        n += weight;
        cleanRight += weight * clean(outcome);
        seen += weight * (valid[i] as number);
        stillRight += weight * (valid[i] as number) * (right[i] as number);
      });
      return seen === 0 || cleanRight === 0 ? null : stillRight / seen / (cleanRight / n);
    };
  },
});

/** Radius of the headline of attacks, in 255ths. */
const HEADLINE = 8;
/** Kinds that the headline of corruptions is the mean of. */
const isCorruption = (name: string): boolean => /^right corrupt\.[a-z-]+$/.test(name);
const isValidShare = (name: string): boolean => /^valid fmr\.(?!random|identity)/.test(name);

/** Every number that the images with these scores can give, headlines first. */
export function imageMeasures(names: readonly string[]): ImageMeasure[] {
  const has = new Set(names);
  const share = { unit: 'share', better: 'more' } as const;
  const corrupted = names.filter(isCorruption);
  const attacked = names.find((name) => name.startsWith('right attack.') && name.endsWith(` ${HEADLINE}`));
  const validName = names.find(isValidShare);
  const gray = (where: 'background' | 'object') => score(`right gray.${where}`);
  const headlines: [boolean, () => ImageMeasure][] = [
    [true, () => meanOf({ id: 'clean-accuracy', name: 'Accuracy', ...share }, clean)],
    [has.has('right noise.object.linf'), () => sensitivity('rfs', 'Relative foreground sensitivity', 'linf')],
    [
      has.has('right noise.object.l2'),
      () => sensitivity('rfs-l2', 'Relative foreground sensitivity, noise of a fixed length', 'l2'),
    ],
    [
      has.has('right gray.background'),
      () =>
        meanOf({ id: 'gray-background', name: 'Accuracy on gray backgrounds', ...share }, gray('background')),
    ],
    [
      has.has('right gray.object'),
      () =>
        meanOf(
          { id: 'gray-object', name: 'Accuracy on gray objects', unit: 'share', better: 'less' },
          gray('object'),
        ),
    ],
    [
      corrupted.length > 0,
      () =>
        meanOf(
          { id: 'corruption-accuracy', name: 'Accuracy under common corruptions', ...share },
          (outcome) => {
            const values = corrupted.flatMap((name) => outcome.scores[name] ?? []);
            return mean(values) ?? null;
          },
        ),
    ],
    [
      has.has('right mix.same') && has.has('right mix.other'),
      () =>
        meanOf(
          { id: 'background-gap', name: 'Background gap', unit: 'points', better: 'less' },
          minus(score('right mix.same'), score('right mix.other')),
        ),
    ],
    [
      attacked !== undefined,
      () => meanOf({ id: 'adversarial-accuracy', name: 'Robust accuracy', ...share }, score(attacked ?? '')),
    ],
    [validName !== undefined, () => followed((validName ?? '').slice('valid '.length))],
    ...(['iou', 'delta', 'lift'] as const).map((measure): [boolean, () => ImageMeasure] => [
      has.has(`saliency ${measure}`),
      () => meanOf(saliencyNames[measure], score(`saliency ${measure}`)),
    ]),
  ];
  const variants = names.filter((name) => /^right [^ ]+$/.test(name) && !/^right fmr\./.test(name));
  return [
    ...headlines.flatMap(([isThere, measure]) => (isThere ? [measure()] : [])),
    ...variants.map((name) =>
      meanOf({ id: name, name: name.slice('right '.length), unit: 'share', better: 'more' }, score(name)),
    ),
  ];
}

const saliencyNames = {
  iou: { id: 'saliency-iou', name: 'Saliency on the object: IoU', unit: 'share', better: 'more' },
  delta: {
    id: 'saliency-delta',
    name: 'Saliency on the object minus beside it',
    unit: 'number',
    better: 'more',
  },
  lift: {
    id: 'saliency-lift',
    name: 'Saliency on the object against chance',
    unit: 'number',
    better: 'more',
  },
} as const satisfies Record<string, Named>;
