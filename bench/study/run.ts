/**
 * A small study on generated scenes: part models against a baseline, trained normally and adversarially, with and without
 * part labels, and where the background names the class in training only. Every run is kept in the folder: interrupted,
 * the study goes on where it was; finished, it only prints its tables.
 *
 *   npm run study [-- --folder <where>] [--seeds 3] [--parallel 2] [--write]
 *   npm run study -- --plan                                          # what it would do, and how long that takes
 *   npm run study -- --only pgd                                      # rows whose name holds a word
 *   npm run study -- --seeds 1 --epochs 2,1 --images 10,5,5          # whether all of it works, in minutes
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '@/lib/config';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { accuracyOutsideSplits } from './in-place';
import { type Cell, cells, nameOf, type Plan, rowName, specOf, usualPlan } from './plan';
import { printPlan } from './print-plan';
import type { Setting } from './scenes';
import { ensureSnapshot, type MadeSnapshot } from './snapshots';
import { type Finished, studyRecord, studyTables } from './tables';
import { secondsOf, train, verdictOf } from './train';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.join(os.tmpdir(), 'tessera-study') },
    seeds: { type: 'string', default: String(usualPlan.seeds.length) },
    epochs: { type: 'string', default: `${usualPlan.epochs.clean},${usualPlan.epochs.adversarial}` },
    images: {
      type: 'string',
      default: `${usualPlan.counts.train},${usualPlan.counts.val},${usualPlan.counts.test}`,
    },
    parallel: { type: 'string', default: String(os.availableParallelism()) },
    only: { type: 'string', default: '' },
    plan: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const numbers = (text: string) => text.split(',').map(Number);
const [clean = 0, adversarial = 0] = numbers(values.epochs);
const [trained = 0, validated = 0, tested = 0] = numbers(values.images);
const plan: Plan = {
  counts: { train: trained, val: validated, test: tested },
  seeds: Array.from({ length: Number(values.seeds) }, (_, seed) => seed),
  epochs: { clean, adversarial },
};
const parallel = Number(values.parallel);
printPlan(plan, parallel);
if (values.plan) process.exit(0);

const { python, missing } = await capabilitiesHere();
if (!python) throw new Error(missing ?? 'PyTorch is missing.');
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

await mkdir(values.folder, { recursive: true });
const snapshots = new Map<Setting, Promise<MadeSnapshot>>();
const snapshotOf = (setting: Setting) => {
  const made = snapshots.get(setting) ?? ensureSnapshot(values.folder, setting, plan.counts);
  snapshots.set(setting, made);
  return made;
};

async function finish(cell: Cell, seed: number): Promise<Finished | null> {
  const snapshot = await snapshotOf(cell.setting);
  const spec = specOf(cell, seed, snapshot.hash, plan);
  const folder = path.join(values.folder, nameOf(cell, seed, spec));
  if (!(await verdictOf(folder))) await train(python as string, folder, spec, snapshot.folder, stop.signal);
  const verdict = await verdictOf(folder);
  if (!verdict) return null;
  const seconds = await secondsOf(folder);
  const model = path.join(folder, 'artifacts', 'model.onnx');
  const inPlace = cell.setting === 'cue' ? await accuracyOutsideSplits(model, snapshot.folder) : null;
  console.error(`${path.basename(folder)}: ${seconds.toFixed(0)} s`);
  return { cell, seed, seconds, verdict, inPlace };
}

// Seed by seed, so that a study that is cut short has compared everything with fewer seeds.
const chosen = cells.filter((cell) => rowName(cell).includes(values.only));
const tasks = plan.seeds.flatMap((seed) => chosen.map((cell) => ({ cell, seed })));
const finished = new Map<number, Finished>();
let next = 0;
const began = performance.now();
await Promise.all(
  Array.from({ length: parallel }, async () => {
    while (next < tasks.length && !stop.signal.aborted) {
      const at = next++;
      const { cell, seed } = tasks[at] as (typeof tasks)[number];
      // One that fails is told and left out; the others are worth having all the same.
      const run = await finish(cell, seed).catch((error: Error) => console.error(error.message));
      if (run) finished.set(at, run);
    }
  }),
);
const minutes = (performance.now() - began) / 60_000;
// In the order of the plan, whichever run was over first.
const runs = [...finished].sort(([a], [b]) => a - b).map(([, run]) => run);
const text = studyTables(runs);
console.log(`\n${text}\n\n${runs.length} of ${tasks.length} runs; ${minutes.toFixed(1)} minutes this time.`);
if (runs.length < tasks.length) process.exitCode = 1;

if (values.write) {
  const page = path.join(projectFolder, 'docs', 'study.md');
  const marker = /(<!-- study -->\n)[\s\S]*?(\n<!-- end of study -->)/;
  const before = await readFile(page, 'utf8').catch(
    () => '# A study on generated scenes\n\n<!-- study -->\n\n<!-- end of study -->\n',
  );
  await writeFile(
    page,
    before.replace(marker, (_, opening, closing) => `${opening}\n${text}\n${closing}`),
  );
  await writeFile(
    path.join(projectFolder, 'docs', 'study.json'),
    `${JSON.stringify({ plan, runs: studyRecord(runs) }, null, 2)}\n`,
  );
}
