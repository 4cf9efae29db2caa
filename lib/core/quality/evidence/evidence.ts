import { wealthPath } from './betting';
import type { Outcomes } from './outcomes';

/** A sequential test of the claim that a worker is good. */
export type SequentialTest = Outcomes & {
  /** What is measured, for curators. */
  measure: string;
  /** The outcomes are differences between -1 and 1, mapped to 0 and 1. */
  isDifference?: true;
  /** The part or attribute that the test is about; null for the whole stage. */
  target: string | null;
  /** The claim: the mean of the outcomes is at least this. */
  good: number;
  /** Probability that the evidence against a good worker ever reaches the limit. */
  error: number;
};

/** The evidence against a worker over time. 1 is none; a good worker reaches x with probability 1/x at most. */
export type Evidence = {
  measure: string;
  isDifference: boolean;
  target: string | null;
  good: number;
  /** Mean of the outcomes so far; null without any. */
  mean: number | null;
  points: { at: Date; value: number }[];
  /** At this evidence the worker is stopped. */
  limit: number;
  current: number;
  highest: number;
};

export function measureEvidence(test: SequentialTest): Evidence {
  const { moments, sequences, good, error, measure, target } = test;
  const paths = sequences.map((sequence) => wealthPath(sequence, good));
  const points = moments.map((at, i) => ({ at, value: Math.min(...paths.map((path) => path[i] ?? 1)) }));
  const known = sequences.flat().filter((outcome) => outcome !== null);
  return {
    measure,
    isDifference: test.isDifference ?? false,
    target,
    good,
    mean: known.length === 0 ? null : known.reduce((sum, outcome) => sum + outcome, 0) / known.length,
    points,
    limit: 1 / error,
    current: points.at(-1)?.value ?? 1,
    highest: points.reduce((most, { value }) => Math.max(most, value), 1),
  };
}

/** Whether the limit was reached at any moment. When the rules looked makes no difference. */
export const isReached = ({ highest, limit }: Evidence): boolean => highest >= limit;

/** How far the evidence is on its way to the limit, from 0 to 1, on a logarithmic scale. */
export const shareOfLimit = ({ current, limit }: Pick<Evidence, 'current' | 'limit'>): number =>
  Math.min(1, Math.max(0, Math.log(current) / Math.log(limit)));
