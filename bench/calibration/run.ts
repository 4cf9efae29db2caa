/**
 * Is a label that claims 90 % right nine times of ten? Simulated crowds answer generated images whose truth is known,
 * and the product's own code settles their answers. Writes docs/pictures/calibration.svg.
 *
 *   npm run bench:calibration [-- --items 1500 --seeds 3 --overlap 3 --json]
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { crowds } from '@/lib/demo/simulation/calibration/measure';
import { runCalibration, type SeriesResult } from '@/lib/demo/simulation/calibration/run';
import { reliabilityDiagram } from './diagram';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '1500' },
    seeds: { type: 'string', default: '3' },
    images: { type: 'string', default: '600' },
    gold: { type: 'string', default: '150' },
    overlap: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});

/** The constants of the model were fitted on the seeds 1 to 3; these are others. */
const FIRST_SEED = 11;

const run = {
  seeds: Array.from({ length: Number(values.seeds) }, (_, n) => FIRST_SEED + n),
  items: Number(values.items),
  images: Number(values.images),
  gold: Number(values.gold),
  overlap: Number(values.overlap),
};

const names: Record<string, string> = {
  attribute: 'Attribute decisions',
  form: 'Whole forms',
  class: 'Classes',
  'object-mask': 'Object masks',
  'part-mask': 'Part masks',
};

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;

function printTable(results: readonly SeriesResult[]): void {
  const crowdNames = crowds.map(({ name }) => name);
  const header = [
    'Label',
    'n',
    'Mean confidence',
    'Right',
    'ECE',
    ...crowdNames.map((name) => `ECE, ${name}`),
  ];
  console.log(`| ${header.join(' | ')} |`);
  console.log(`| ${header.map(() => '---').join(' | ')} |`);
  for (const { series, n, confidence, right, error, byCrowd } of results) {
    const errors = [error, ...crowdNames.map((name) => byCrowd[name] ?? 0)].map((value) => value.toFixed(3));
    const figures = [n.toLocaleString('en'), percent(confidence), percent(right), ...errors];
    console.log(`| ${[names[series], ...figures].join(' | ')} |`);
  }
}

function printBins(results: readonly SeriesResult[]): void {
  for (const { series, bins } of results) {
    console.log(`\n${names[series]}\n`);
    console.log('| Confidence | n | Mean | Right |\n| --- | --- | --- | --- |');
    for (const { from, to, n, confidence, right } of bins)
      if (confidence !== null && right !== null)
        console.log(
          `| ${from.toFixed(2)}–${to.toFixed(2)} | ${n} | ${percent(confidence)} | ${percent(right)} |`,
        );
  }
}

const results = runCalibration(run);
if (run.overlap === 3) {
  const picture = fileURLToPath(new URL('../../docs/pictures/calibration.svg', import.meta.url));
  writeFileSync(picture, reliabilityDiagram(results, names));
}
if (values.json) console.log(JSON.stringify({ ...run, results }));
else {
  printTable(results);
  printBins(results);
}
