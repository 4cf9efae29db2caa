import { median } from 'd3-array';
import { wilson } from '@/lib/core/quality/interval';
import type { OutputKind } from '../logits';
import { type Estimate, noEstimate } from '../metrics/estimates';
import type { Picture } from '../picture';
import type { VariantContext } from '../types';
import { Victim } from './victim';

/** Reasons not to believe a robust accuracy. */
export interface AttackWarning {
  code:
    | 'randomised'
    | 'probabilities'
    | 'zero-gradient'
    | 'square-beats-gradients'
    | 'sweep-stays'
    | 'sweep-rises';
  says: string;
}

/** Two answers to the same picture that differ by more are not rounding. */
const SAME = 1e-4;
/** In accuracy: a fifth of a percentage point. */
const BEATEN = 0.002;

/** Those that are seen before any attack, on a few pictures. */
export async function checkBeforeAttacks(
  given: readonly { picture: Picture; classIndex: number }[],
  context: Pick<VariantContext, 'query' | 'gradient'>,
  kind: OutputKind,
): Promise<AttackWarning[]> {
  const found: AttackWarning[] = [];
  const pictures = given.map(({ picture }) => picture);
  const [first, second] = [await context.query(pictures), await context.query(pictures)];
  const isOther = first.some((row, i) =>
    row.some((value, j) => Math.abs(value - (second[i]?.[j] ?? Number.NaN)) > SAME),
  );
  if (isOther)
    found.push({
      code: 'randomised',
      says: 'The model answers differently each time: attacks would need the mean of its answers.',
    });
  if (kind === 'probs')
    found.push({
      code: 'probabilities',
      says: 'The model gives probabilities instead of logits: far from the boundary they are rounded to 0 and 1, and attacks see nothing.',
    });
  if (!context.gradient) return found;
  let flat = 0;
  for (const { picture, classIndex } of given) {
    const { victim } = await Victim.create(context, picture, classIndex);
    const { gradient } = await victim.gradient(picture, victim.crossEntropySeed(), 1);
    if (gradient.every((value) => value === 0)) flat++;
  }
  if (flat > 0)
    found.push({
      code: 'zero-gradient',
      says: `${flat} of ${given.length} pictures have no gradient at all: it may be masked, and attacks along it find nothing.`,
    });
  return found;
}

/** Squares that still find what gradients missed: the gradients mislead. */
export function checkAttackResults({ after, isUpperBound }: AdversarialMetrics): AttackWarning[] {
  const at = after.findIndex(({ attack }) => attack === 'square');
  const [before, then] = [after[at - 1]?.accuracy.value, after[at]?.accuracy.value];
  if (isUpperBound || before == null || then == null || !(before - then > BEATEN)) return [];
  return [
    {
      code: 'square-beats-gradients',
      says: `Square found ${((before - then) * 100).toFixed(1)} points that attacks with gradients did not: the gradients mislead, and the accuracy is too high.`,
    },
  ];
}

/** What is left at a radius where nothing can be seen any more. */
const STAYS = 0.1;
const WIDE = 32;

/** Over growing radii accuracy must fall, and end near 0. */
export function checkRadiusSweep(
  sweep: readonly { radius: number; accuracy: number; n: number }[],
): AttackWarning[] {
  const sorted = sweep.toSorted((a, b) => a.radius - b.radius);
  const found: AttackWarning[] = [];
  const rise = sorted.find((each, i) => i > 0 && each.accuracy - (sorted[i - 1]?.accuracy ?? 1) > 1 / each.n);
  if (rise)
    found.push({
      code: 'sweep-rises',
      says: `Accuracy rises at the radius of ${rise.radius}/255, where it can only fall: the attack is too weak.`,
    });
  const last = sorted.at(-1);
  if (last && last.radius >= WIDE && last.accuracy > STAYS)
    found.push({
      code: 'sweep-stays',
      says: `${(last.accuracy * 100).toFixed(0)} % still stand at ${last.radius}/255, where hardly anything should: gradients may be masked.`,
    });
  return found;
}

/** One picture after its attacks. */
interface AttackRow {
  isRobust: boolean;
  /** `clean`: wrong before any attack. Null: stands. */
  brokenBy: string | null;
  queries: number;
}

interface AdversarialMetrics {
  clean: Estimate;
  /** In the order of the attacks: what was left after each. */
  after: { attack: string; accuracy: Estimate; broke: number }[];
  accuracy: Estimate;
  /** Of pictures that were right before, how many fell. */
  successRate: number | null;
  /** Over the pictures that fell to an attack. */
  medianQueries: number | null;
  /** No attack with a gradient ran: the true accuracy may be far lower, so show ≤. */
  isUpperBound: boolean;
}

/** Of the pictures that have a row; `of` counts those without one too. */
export function measureAdversarial(
  rows: readonly AttackRow[],
  attacks: readonly { id: string; needsGradient: boolean }[],
  of = rows.length,
): AdversarialMetrics {
  const share = (count: number): Estimate => {
    const interval = wilson(count, rows.length);
    return interval
      ? { value: count / rows.length, low: interval.low, high: interval.high, n: rows.length, of }
      : noEstimate(of);
  };
  const fellTo = (id: string) => rows.filter(({ brokenBy }) => brokenBy === id);
  const right = rows.length - fellTo('clean').length;
  let left = right;
  const after = attacks.map(({ id }) => {
    const broke = fellTo(id).length;
    left -= broke;
    return { attack: id, accuracy: share(left), broke };
  });
  const queries = rows
    .filter(({ brokenBy }) => brokenBy !== null && brokenBy !== 'clean')
    .map((row) => row.queries);
  return {
    clean: share(right),
    after,
    accuracy: share(rows.filter(({ isRobust }) => isRobust).length),
    successRate: right === 0 ? null : queries.length / right,
    medianQueries: median(queries) ?? null,
    isUpperBound: !attacks.some(({ needsGradient }) => needsGradient),
  };
}
