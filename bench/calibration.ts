import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCalibration, type SeriesResult } from '@/lib/demo/simulation/calibrate';
import { crowds } from '@/lib/demo/simulation/measure-behaviour';

const PANEL = 150;
const GAP = 34;
const TOP = 34;
const LEFT = 40;

/** Bins with fewer labels than this are drawn hollow: their share of right labels is mostly noise. */
const MIN_LABELS = 50;

/** Draws one reliability diagram per series: claimed confidence to the right, share of right labels upwards. */
function reliabilityDiagram(results: readonly SeriesResult[], names: Record<string, string>): string {
  const width = LEFT + results.length * (PANEL + GAP);
  const height = TOP + PANEL + 44;
  const panels = results.map((result, i) => panel(result, names, LEFT + i * (PANEL + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>Reliability diagrams: share of right labels by claimed confidence</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function panel(result: SeriesResult, names: Record<string, string>, x: number): string {
  const bottom = TOP + PANEL;
  const at = (confidence: number, right: number) =>
    [x + confidence * PANEL, bottom - right * PANEL].map((value) => value.toFixed(1)) as [string, string];
  const filled = result.bins.flatMap(({ n, confidence, right }) =>
    confidence === null || right === null ? [] : [{ n, point: at(confidence, right) }],
  );
  const ticks = [0, 0.5, 1].map(
    (tick) =>
      `<text x="${x + tick * PANEL}" y="${bottom + 14}" text-anchor="middle" fill="#555">${tick}</text>` +
      `<text x="${x - 6}" y="${bottom - tick * PANEL + 4}" text-anchor="end" fill="#555">${tick}</text>`,
  );
  return [
    `<text x="${x}" y="14" font-weight="bold">${names[result.series] ?? result.series}</text>`,
    `<text x="${x}" y="27" fill="#555">ECE ${result.error.toFixed(3)}, n = ${result.n}</text>`,
    `<rect x="${x}" y="${TOP}" width="${PANEL}" height="${PANEL}" fill="none" stroke="#bbb"/>`,
    `<path d="M${x} ${bottom}L${x + PANEL} ${TOP}" stroke="#bbb" stroke-dasharray="4 3"/>`,
    `<polyline points="${filled.map(({ point }) => point.join(',')).join(' ')}" fill="none" stroke="#2a6fbb" stroke-width="1.5"/>`,
    ...filled.map(
      ({ n, point: [cx, cy] }) =>
        `<circle cx="${cx}" cy="${cy}" r="3" stroke="#2a6fbb" fill="${n < MIN_LABELS ? '#fff' : '#2a6fbb'}"/>`,
    ),
    ...ticks,
    `<text x="${x + PANEL / 2}" y="${bottom + 30}" text-anchor="middle">confidence</text>`,
  ].join('\n');
}

/**
 * Is a label that claims 90 % right nine times of ten? Simulated crowds answer generated images whose truth is known,
 * and the product's own code settles their answers. Writes docs/pictures/calibration.svg.
 *
 *   npm run bench:calibration [-- --items 1500 --seeds 3 --overlap 3 --json]
 */

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
  const picture = fileURLToPath(new URL('../docs/pictures/calibration.svg', import.meta.url));
  writeFileSync(picture, reliabilityDiagram(results, names));
}
if (values.json) console.log(JSON.stringify({ ...run, results }));
else {
  printTable(results);
  printBins(results);
}
