/**
 * The quality experiment: a factorial comparison of ways to control quality on simulated crowds, in memory, with the
 * rules, scores and labels of production. Results are kept in a file after every run: stop it at any time and run it
 * again to continue. Prints tables in Markdown.
 *
 *   npm run bench:crowd -- [--seeds 30] [--mix 0,10,36,50] [--cells 245x300,679x300,245x50,679x50] [--arms all]
 *                          [--minutes 60] [--file test-results/crowd.jsonl] [--tables] [--plot docs] [--json]
 *
 * A cell is items per worker and stage x gold images. `--tables` prints what is known and runs nothing. `--arms` takes
 * a regular expression on names, or `key` for the default and all baselines.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { nameOf } from '@/lib/demo/simulation/memory/arm';
import { runCollection } from '@/lib/demo/simulation/memory/collection';
import { type Cell, keyOf, RunRecord, recordOf } from '@/lib/demo/simulation/memory/record';
import {
  arms,
  armTable,
  baselines,
  DEFAULT,
  falseStopTable,
  kindTable,
  plotExperiment,
  verdictOf,
  verdictTable,
} from './experiment-tables';

const { values: options } = parseArgs({
  options: {
    seeds: { type: 'string', default: '30' },
    'first-seed': { type: 'string', default: '1' },
    mix: { type: 'string', default: '0,10,36,50' },
    cells: { type: 'string', default: '245x300,679x300,245x50,679x50' },
    arms: { type: 'string', default: 'all' },
    minutes: { type: 'string', default: '600' },
    file: { type: 'string', default: 'test-results/crowd.jsonl' },
    tables: { type: 'boolean', default: false },
    plot: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

/** People who work at the same time: 36 % of them are eight. */
const SEATS = 22;

const numbers = (text: string) => text.split(',').map(Number);
const mixes = numbers(options.mix);
const cells = options.cells.split(',').map((text) => {
  const [itemsPerWorker = 245, gold = 300] = text.split('x').map(Number);
  return { itemsPerWorker, gold };
});
const keyArms = new Set([DEFAULT, ...baselines.map(nameOf)]);
const chosen = arms.filter(({ name }) => {
  if (options.arms === 'all') return true;
  return options.arms === 'key' ? keyArms.has(name) : new RegExp(options.arms).test(name);
});

function readRecords(): RunRecord[] {
  if (!existsSync(options.file)) return [];
  const lines = readFileSync(options.file, 'utf8').split('\n').filter(Boolean);
  // A run that was killed while writing leaves half a line.
  return lines.flatMap((line) => {
    try {
      return [RunRecord.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

const records = readRecords();
const known = new Set(records.map(keyOf));
const end = Date.now() + 60_000 * Number(options.minutes);
const seeds = Array.from({ length: Number(options.seeds) }, (_, i) => i + Number(options['first-seed']));

/** All arms of a seed before the next seed: whenever it ends, most arms have the same seeds. */
function runAll(): void {
  mkdirSync(path.dirname(options.file), { recursive: true });
  for (const cell of cells)
    for (const seed of seeds)
      for (const mix of mixes)
        for (const arm of chosen) {
          const place: Cell = { ...cell, seed, mix, arm: arm.name };
          if (known.has(keyOf(place))) continue;
          if (Date.now() > end) return;
          const outcome = runCollection({ ...cell, seed, seats: SEATS, badShare: mix / 100, arm });
          const record = recordOf(place, outcome);
          appendFileSync(options.file, `${JSON.stringify(record)}\n`);
          records.push(record);
        }
}

if (!options.tables) runAll();

const reports = cells.map((cell) => {
  const own = records.filter(
    ({ itemsPerWorker, gold }) => itemsPerWorker === cell.itemsPerWorker && gold === cell.gold,
  );
  return { ...cell, own, present: mixes.filter((mix) => own.some((record) => record.mix === mix)) };
});
for (const { itemsPerWorker, gold, own, present } of reports) {
  if (own.length === 0) continue;
  if (options.json) {
    const verdicts = present.map((mix) => verdictOf(own, mix));
    console.log(JSON.stringify({ itemsPerWorker, gold, runs: own.length, verdicts }));
    continue;
  }
  console.log(`## ${itemsPerWorker} items per worker and stage, ${gold} gold images (${own.length} runs)\n`);
  for (const table of [
    verdictTable(own, present),
    armTable(own, present),
    falseStopTable(own),
    kindTable(own.filter(({ mix }) => mix > 0)),
  ])
    console.log(`${table}\n`);
  if (options.plot)
    writeFileSync(
      path.join(options.plot, `crowd-${itemsPerWorker}-${gold}.svg`),
      plotExperiment(own, present),
    );
}
