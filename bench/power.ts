/**
 * How often do the sequential tests stop workers who pass a given share of their checks? Simulates careers under the
 * default check schedule. The tables are in docs/methods.md.
 *
 *   npm run bench:power [-- --careers 400 --seed 7 --json]
 */
import { parseArgs } from 'node:util';
import { measureEvidence } from '@/lib/core/quality/evidence';
import type { WorkerHistory } from '@/lib/core/quality/history';
import { wilson } from '@/lib/core/quality/interval';
import { findRule } from '@/lib/core/quality/rules';
import { GOOD_PASS_RATE, passTest } from '@/lib/core/quality/rules/failed-checks';
import { createRng } from '@/lib/demo/scenes/prng';
import {
  equalParts,
  form,
  independentParts,
  itemsUntil,
  liveCareer,
  liveForms,
  type Shape,
} from '@/test/core/quality/evidence/careers';

const { values } = parseArgs({
  options: {
    careers: { type: 'string', default: '400' },
    seed: { type: 'string', default: '7' },
    json: { type: 'boolean', default: false },
  },
});

const ERROR = 0.01;
const HORIZONS = [300, 700, 1000, 3000] as const;
const shapes: Record<string, Shape> = {
  form,
  'four parts, independent': independentParts,
  'four parts, all right or all wrong': equalParts,
};

const [careers, seed] = [Number(values.careers), Number(values.seed)];

function stoppedShares(untilStop: () => number) {
  const until = Array.from({ length: careers }, untilStop);
  return HORIZONS.map((horizon) => {
    const stopped = until.filter((n) => n < horizon).length;
    return { items: horizon, stopped: wilson(stopped, careers) };
  });
}

function report(title: string, untilStop: () => number) {
  const stopped = stoppedShares(untilStop);
  const shares = stopped
    .map(({ stopped: share }) => `${(100 * (share?.value ?? 0)).toFixed(1)}%`)
    .join(' / ');
  if (!values.json) console.log(`${title}: ${shares} within ${HORIZONS.join(' / ')} items`);
  return stopped;
}

const items = Math.max(...HORIZONS);

const rows = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6].flatMap((passRate) =>
  Object.entries(shapes).map(([shape, parts]) => {
    const rng = createRng(seed);
    const stopped = report(`failed-checks, pass rate ${passRate}, ${shape}`, () => {
      const history = liveCareer({ items, shape: parts, passes: () => passRate, rng });
      const { points, limit } = measureEvidence(passTest(history, GOOD_PASS_RATE, ERROR));
      return itemsUntil(points, limit);
    });
    return { passRate, shape, stopped };
  }),
);

/** When any test of a rule reaches its limit, or the evidence at which a target is practised. */
function untilFound(ruleId: string, history: WorkerHistory, isPractice = false): number {
  const tests: { error: number; retrainLimit?: number }[] = findRule(ruleId)?.tests(history, {}) ?? [];
  return Math.min(
    ...tests.map((test) => {
      const limit = isPractice ? (test.retrainLimit ?? Number.POSITIVE_INFINITY) : 1 / test.error;
      return itemsUntil(measureEvidence(test as Parameters<typeof measureEvidence>[0]).points, limit);
    }),
  );
}

/** Trusted people who pass 0.95 of the checks score this on average. */
const TRUSTED_LEVEL = 0.865;

const others = [0.8, 0.7, 0.6].flatMap((passRate) => [
  ...[false, true].map((areEqual) => {
    const rng = createRng(seed);
    const shape = areEqual ? 'attributes all right or all wrong' : 'attributes independent';
    const career = () => untilFound('below-bar', liveForms({ areEqual, recall: passRate, rng }));
    return {
      rule: 'below-bar',
      passRate,
      shape,
      stopped: report(`below-bar, recall ${passRate}, ${shape}`, career),
    };
  }),
  ...Object.entries(shapes).flatMap(([shape, parts]) => {
    const live = (rng: ReturnType<typeof createRng>) =>
      liveCareer({ items, shape: parts, passes: () => passRate, rng });
    const rng = createRng(seed);
    const expected = () => {
      const history = live(rng);
      const checks = history.checks.map((check) => ({ ...check, expected: TRUSTED_LEVEL }));
      return untilFound('below-expected', { ...history, checks });
    };
    const below = {
      rule: 'below-expected',
      stopped: report(`below-expected, pass rate ${passRate}, ${shape}`, expected),
    };
    // A form is one question here, so it has no parts to practise.
    const ofPart = (parts === form ? [] : [false, true]).map((isPractice) => {
      const own = createRng(seed);
      const what = isPractice ? 'target-checks, practice' : 'target-checks, limit of a pause';
      return {
        rule: what,
        stopped: report(`${what}, pass rate ${passRate}, ${shape}`, () =>
          untilFound('target-checks', live(own), isPractice),
        ),
      };
    });
    return [below, ...ofPart].map((row) => ({ ...row, passRate, shape }));
  }),
]);
if (values.json) console.log(JSON.stringify({ careers, seed, error: ERROR, rows, others }));
