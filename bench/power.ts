/**
 * How often does the rule `failed-checks` stop workers who pass a given share of their checks? Simulates careers under
 * the default check schedule. The table is in docs/methods.md.
 *
 *   npm run bench:power [-- --careers 400 --seed 7 --json]
 */
import { parseArgs } from 'node:util';
import { measureEvidence } from '@/lib/core/quality/evidence';
import { wilson } from '@/lib/core/quality/interval';
import { GOOD_PASS_RATE, passTest } from '@/lib/core/quality/rules/failed-checks';
import { createRng } from '@/lib/demo/scenes/prng';
import {
  equalParts,
  form,
  independentParts,
  itemsUntil,
  liveCareer,
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

function stoppedShares(shape: Shape, passRate: number, careers: number, seed: number) {
  const rng = createRng(seed);
  const items = Math.max(...HORIZONS);
  const until = Array.from({ length: careers }, () => {
    const history = liveCareer({ items, shape, passes: () => passRate, rng });
    const { points, limit } = measureEvidence(passTest(history, GOOD_PASS_RATE, ERROR));
    return itemsUntil(points, limit);
  });
  return HORIZONS.map((horizon) => {
    const stopped = until.filter((n) => n < horizon).length;
    return { items: horizon, stopped: wilson(stopped, careers) };
  });
}

const [careers, seed] = [Number(values.careers), Number(values.seed)];
const rows = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6].flatMap((passRate) =>
  Object.entries(shapes).map(([shape, parts]) => {
    const stopped = stoppedShares(parts, passRate, careers, seed);
    if (!values.json) {
      const shares = stopped
        .map(({ stopped: share }) => `${(100 * (share?.value ?? 0)).toFixed(1)}%`)
        .join(' / ');
      console.log(`pass rate ${passRate}, ${shape}: ${shares} stopped within ${HORIZONS.join(' / ')} items`);
    }
    return { passRate, shape, stopped };
  }),
);
if (values.json) console.log(JSON.stringify({ careers, seed, error: ERROR, rows }));
