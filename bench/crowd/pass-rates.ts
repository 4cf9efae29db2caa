/**
 * The share of hidden checks that each kind of simulated worker passes, in memory. Prints a table in Markdown.
 *
 *   npm run bench:crowd-checks -- [--seeds 6] [--mix 50] [--items 245] [--gold 300]
 *
 * Default rules without signals and without re-asking: few workers are stopped, so that all kinds are checked.
 */
import { parseArgs } from 'node:util';
import { armOf, defaultFactors } from '@/lib/demo/simulation/memory/arm';
import { collect } from '@/lib/demo/simulation/memory/collection';
import { badKinds, goodKinds } from '@/lib/demo/simulation/memory/people';
import { stageKinds } from '@/lib/demo/simulation/memory/run';
import { markdown } from './experiment-tables';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '6' },
    mix: { type: 'string', default: '50' },
    items: { type: 'string', default: '245' },
    gold: { type: 'string', default: '300' },
  },
});

const arm = armOf({ ...defaultFactors, asksAgain: false, signals: false, confirmation: false });
const workers = Array.from({ length: Number(options.seeds) }, (_, i) =>
  collect({
    itemsPerWorker: Number(options.items),
    gold: Number(options.gold),
    seed: i + 1,
    seats: 22,
    badShare: Number(options.mix) / 100,
    arm,
  }),
).flatMap((run) => run.workers);

const kinds = [...goodKinds, ...badKinds];
const lines = stageKinds.map((stage) => [
  stage === 'attributes' ? 'forms' : 'masks',
  ...kinds.map((kind) => {
    const checks = workers
      .filter(({ person }) => person.kind === kind)
      .flatMap(({ careers }) => careers[stage].checks);
    return checks.length === 0
      ? '–'
      : (checks.filter(({ passed }) => passed).length / checks.length).toFixed(2);
  }),
]);
console.log(markdown(['', ...kinds], lines));
