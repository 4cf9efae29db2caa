import { quantileSorted } from 'd3-array';
import { draws, RESAMPLES } from '../metrics/bootstrap';
import { type ImageMeasure, type ImageOutcome, imageMeasures } from './image-measures';

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

export type OutcomePair = readonly [first: ImageOutcome, second: ImageOutcome];

/**
 * Every number that both models have on the same images. One set of draws for all of them and for both models: what is
 * hard for both cancels out, so that a small difference of paired models can be told from none.
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
