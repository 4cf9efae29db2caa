import { median } from 'd3-array';
import { wilson } from '@/lib/core/quality/interval';
import type { OutputKind } from '../logits';
import { type Estimate, noEstimate } from '../metrics/estimates';
import type { Picture } from '../picture';
import type { VariantContext } from '../types';
import { Victim } from './victim';

/** A sign that a robust accuracy is overestimated. */
export interface AttackWarning {
  code:
    | 'randomised'
    | 'probabilities'
    | 'zero-gradient'
    | 'square-beats-gradients'
    | 'sweep-stays'
    | 'sweep-rises';
  message: string;
}

/** Larger differences between two runs on the same picture are not rounding errors. */
const SAME = 1e-4;
/** In accuracy: 0.2 percentage points. */
const BEATEN = 0.002;

/** Checks a few pictures before any attack runs. */
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
      message: 'The model is randomised: attacks would have to average over several runs.',
    });
  if (kind === 'probs')
    found.push({
      code: 'probabilities',
      message:
        'The model returns probabilities instead of logits. They saturate at 0 and 1, which hides gradients from attacks.',
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
      message: `${flat} of ${given.length} pictures have a zero gradient. Gradient-based attacks fail on them (gradient masking).`,
    });
  return found;
}

/** Warns if the Square attack succeeds where gradient-based attacks failed. */
export function checkAttackResults({ after, isUpperBound }: AdversarialMetrics): AttackWarning[] {
  const at = after.findIndex(({ attack }) => attack === 'square');
  const [before, then] = [after[at - 1]?.accuracy.value, after[at]?.accuracy.value];
  if (isUpperBound || before == null || then == null || !(before - then > BEATEN)) return [];
  return [
    {
      code: 'square-beats-gradients',
      message: `Square found ${((before - then) * 100).toFixed(1)} points more than the gradient-based attacks. The gradients are unreliable, so the robust accuracy is overestimated.`,
    },
  ];
}

/** Suspiciously high accuracy at a radius that destroys the image content. */
const STAYS = 0.1;
const WIDE = 32;

/** Accuracy must decrease with the radius and approach 0. */
export function checkRadiusSweep(
  sweep: readonly { radius: number; accuracy: number; n: number }[],
): AttackWarning[] {
  const sorted = sweep.toSorted((a, b) => a.radius - b.radius);
  const found: AttackWarning[] = [];
  const rise = sorted.find((each, i) => i > 0 && each.accuracy - (sorted[i - 1]?.accuracy ?? 1) > 1 / each.n);
  if (rise)
    found.push({
      code: 'sweep-rises',
      message: `Accuracy rises at the radius of ${rise.radius}/255 although it can only decrease: the attack is too weak.`,
    });
  const last = sorted.at(-1);
  if (last && last.radius >= WIDE && last.accuracy > STAYS)
    found.push({
      code: 'sweep-stays',
      message: `${(last.accuracy * 100).toFixed(0)} % accuracy remains at ${last.radius}/255, which suggests gradient masking.`,
    });
  return found;
}

/** Result of all attacks on one picture. */
interface AttackRow {
  isRobust: boolean;
  /** `clean`: misclassified without an attack. Null: robust. */
  brokenBy: string | null;
  queries: number;
}

interface AdversarialMetrics {
  clean: Estimate;
  /** Remaining accuracy after each attack, in order. */
  after: { attack: string; accuracy: Estimate; broke: number }[];
  accuracy: Estimate;
  /** Share of correctly classified pictures with a successful attack. */
  successRate: number | null;
  /** Over the pictures with a successful attack. */
  medianQueries: number | null;
  /** No gradient-based attack ran: the true accuracy can be far lower, so it is shown with ≤. */
  isUpperBound: boolean;
}

/** Summarizes the pictures that have a row; `of` also counts skipped pictures. */
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
