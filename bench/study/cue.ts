/**
 * Whether an evaluation says what is true, where the truth is known: a model that learned each class from a background
 * planted behind it, and one before whose figures any background stood, are both asked about the same pictures.
 *
 *   npm run verify:cue [-- --folder <of the study>] [--images 20] [--seeds 3] [--arch downsampled]
 */
import { mkdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Finding } from '@/lib/core/robustness/report/report';
import { RowTable } from '@/lib/core/robustness/report/row-table';
import { planSuites, reportsOf, type Setting as SuiteSetting } from '@/lib/core/robustness/suites';
import type { ModelRunner, Row } from '@/lib/core/robustness/types';
import { archs } from '@/lib/core/training-spec';
import { querySample, toRow } from '@/lib/services/evaluations/compute-rows';
import { type Entry, SamplePool, toSubject } from '@/lib/services/evaluations/sample-pool';
import { createVariantContext } from '@/lib/services/evaluations/variant-context';
import { startModel } from '@/lib/services/inference/runner/processes';
import { readServingContract } from '@/lib/services/inference/serving-contract';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { type Cell, nameOf, specOf, usualPlan } from './plan';
import { IN_PLACE, makeScenes } from './scenes';
import { ensureSnapshot, train, verdictOf } from './train';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(os.tmpdir(), 'tessera-study') },
    images: { type: 'string', default: '20' },
    seeds: { type: 'string', default: '3' },
    arch: { type: 'string', default: 'baseline' },
  },
});

/** Which way each of them points where a model looks at backgrounds. */
const asked = [
  { id: 'rfs', name: 'RFS', cueIs: 'lower' },
  { id: 'background-gap', name: 'background gap', cueIs: 'higher' },
  { id: 'background-follow', name: 'follows the background', cueIs: 'higher' },
  { id: 'saliency-delta', name: 'saliency on the object minus beside it', cueIs: 'lower' },
  { id: 'saliency-lift', name: 'saliency against chance', cueIs: 'lower' },
  { id: 'hidden saliency-delta', name: 'the same without the gradient', cueIs: 'lower' },
  { id: 'hidden saliency-lift', name: 'against chance, without the gradient', cueIs: 'lower' },
] as const;

const signal = new AbortController().signal;
const arch = archs.find((known) => known === values.arch);
if (!arch) throw new Error(`--arch is one of ${archs.join(', ')}.`);
const cellOf = (setting: Cell['setting']): Cell => ({
  setting,
  arch,
  method: 'normal',
  partLabels: true,
});

/** The model of the study, trained now where the study was not run. */
async function modelOf(setting: Cell['setting'], seed: number): Promise<string> {
  await mkdir(values.folder, { recursive: true });
  const snapshot = await ensureSnapshot(values.folder, setting, usualPlan.counts);
  const cell = cellOf(setting);
  const spec = specOf(cell, seed, snapshot.hash, usualPlan);
  const folder = path.join(values.folder, nameOf(cell, seed, spec));
  if (!(await verdictOf(folder))) {
    const { python, missing } = await capabilitiesHere();
    if (!python) throw new Error(missing ?? 'PyTorch is missing.');
    console.error(`Training ${path.basename(folder)} …`);
    await train(python, folder, spec, snapshot.folder, signal);
  }
  return path.join(folder, 'artifacts');
}

/** Test figures before the background of their class, as the curator of such a data set would have them. */
async function poolFor(contract: ReturnType<typeof readServingContract>): Promise<SamplePool> {
  const counts = { train: 0, val: 0, test: Number(values.images) };
  const { dataset, pictures } = await makeScenes('cue', counts);
  const entries: Entry[] = [];
  for await (const image of dataset.images())
    if (image.split === IN_PLACE)
      entries.push({
        image: { ...image, source: image.name } as Entry['image'],
        classIndex: contract.classes.indexOf(image.className ?? ''),
      });
  return new SamplePool(entries, pictures, contract.input);
}

async function findingsOf(artifacts: string, seed: number): Promise<Map<string, Finding>> {
  const contract = JSON.parse(await readFile(path.join(artifacts, 'model.json'), 'utf8'));
  const serving = readServingContract(contract);
  const pool = await poolFor(serving);
  await using model = await startModel({
    file: path.join(artifacts, 'model.onnx'),
    gradientFile: path.join(artifacts, 'model.grad.onnx'),
    contract,
  });
  const setting: SuiteSetting = {
    preset: 'quick',
    seed,
    classes: serving.classes,
    attributes: [],
    marked: [],
    side: serving.input.side,
    offers: { gradient: true, oracle: false, features: true },
  };
  // As a model is asked that came without its gradient.
  const bare: ModelRunner = { ...model, gradient: null };
  const samples = await Promise.all(pool.entries.map((entry) => pool.sample(entry)));
  const findings = new Map<string, Finding>();
  for (const [suite, runner, prefix] of [
    ['noise', model, ''],
    ['backgrounds', model, ''],
    ['saliency', model, ''],
    ['saliency', bare, 'hidden '],
  ] as const) {
    const variantContext = () => createVariantContext(runner, pool, null);
    const rows: Row[] = [];
    for (const variant of planSuites(suite, setting).variants)
      for (const sample of samples) {
        const cells = await querySample({ seed, createContext: variantContext, signal }, variant, sample);
        for (const [i, cell] of cells.entries()) rows.push(toRow(variant, sample, i, cell));
      }
    const table = new RowTable(samples.map(toSubject), serving.classes, rows);
    for (const report of reportsOf(suite, table, setting)) {
      for (const finding of report.findings) findings.set(`${prefix}${finding.id}`, finding);
      if (suite === 'saliency') for (const note of report.notes) ways.add(note);
    }
  }
  return findings;
}

/** How it was seen where the models look. */
const ways = new Set<string>();

const shown = (finding: Finding | undefined) =>
  typeof finding?.value === 'number'
    ? `${finding.value.toFixed(2)} (${finding.low?.toFixed(2)} to ${finding.high?.toFixed(2)})`
    : '–';

console.log('| seed | number | with the cue | without it | told apart |');
console.log('| ---: | --- | ---: | ---: | --- |');
let failed = 0;
for (let seed = 0; seed < Number(values.seeds); seed++) {
  const cued = await findingsOf(await modelOf('cue', seed), seed);
  const plain = await findingsOf(await modelOf('free', seed), seed);
  for (const { id, name, cueIs } of asked) {
    const [a, b] = [cued.get(id), plain.get(id)];
    // Intervals that do not touch, on the side that the planted truth is on.
    const [low, high] = cueIs === 'lower' ? [a?.high, b?.low] : [b?.high, a?.low];
    const isTold = typeof low === 'number' && typeof high === 'number' && low < high;
    if (!isTold) failed += 1;
    console.log(`| ${seed} | ${name} | ${shown(a)} | ${shown(b)} | ${isTold ? 'yes' : 'no'} |`);
  }
}
for (const way of ways) console.log(`\n${way}`);
console.log(failed === 0 ? '\nAll tell the planted cue.' : `\n${failed} do not tell the planted cue.`);
process.exitCode = failed === 0 ? 0 : 1;
