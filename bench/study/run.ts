import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { projectFolder } from '@/lib/config';
import { capabilitiesHere } from '@/lib/services/training/launch/python';
import { type Cell, cells, nameOf, type Plan, rowName, specOf, usualPlan } from './plan';
import { classes, type Setting } from './scenes';
import { type Finished, studyRecord, studyTables } from './tables';
import { ensureSnapshot, type MadeSnapshot, secondsOf, train, verdictOf } from './train';

const NO_SPLIT = 255;
const AT_ONCE = 64;

/** How often the exported model is right about the images of a snapshot that belong to no split. */
async function accuracyOutsideSplits(
  model: string,
  snapshot: string,
): Promise<{ n: number; correct: number }> {
  const read = (name: string) => readFile(path.join(snapshot, name));
  const [images, labels, splits] = await Promise.all([
    read('images.u8'),
    read('labels.u16'),
    read('splits.u8'),
  ]);
  const rows = [...splits.keys()].filter((row) => splits[row] === NO_SPLIT);
  const pixels = images.length / splits.length / 3;
  const side = Math.sqrt(pixels);
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  let correct = 0;
  try {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const share = rows.slice(at, at + AT_ONCE);
      const values = new Float32Array(share.length * pixels * 3);
      share.forEach((row, place) => {
        for (let i = 0; i < pixels; i++)
          for (let c = 0; c < 3; c++)
            values[(place * 3 + c) * pixels + i] = (images[(row * pixels + i) * 3 + c] as number) / 255;
      });
      const { logits } = await session.run({
        image: new Tensor('float32', values, [share.length, 3, side, side]),
      });
      const found = logits?.data as Float32Array;
      const classes = found.length / share.length;
      share.forEach((row, place) => {
        const own = found.subarray(place * classes, (place + 1) * classes);
        if (own.indexOf(Math.max(...own)) === labels.readUInt16LE(row * 2)) correct++;
      });
    }
  } finally {
    await session.release();
  }
  return { n: rows.length, correct };
}

/**
 * Images a second of one run on one thread, another run beside it, measured on 2 cores of an EPYC processor: in a clean
 * epoch and in one with an attack of five steps.
 */
const rates: Record<string, { clean: number; adversarial: number }> = {
  baseline: { clean: 600, adversarial: 110 },
  downsampled: { clean: 170, adversarial: 37 },
  'bounding-box': { clean: 140, adversarial: 29 },
};
/** Seconds for starting, testing and exporting a run, and for its validations under attack. */
const REST = { normal: 25, pgd: 50 };

function printPlan({ counts, seeds, epochs }: Plan, parallel: number): void {
  const images = counts.train * classes.length;
  const seconds = cells.map(({ arch, method }) => {
    const rate = rates[arch] ?? { clean: 100, adversarial: 20 };
    const isNormal = method === 'normal';
    return (
      REST[isNormal ? 'normal' : 'pgd'] +
      (images * epochs.clean) / rate.clean +
      (isNormal ? 0 : (images * epochs.adversarial) / rate.adversarial)
    );
  });
  const total = (seconds.reduce((sum, each) => sum + each, 0) * seeds.length) / parallel;
  console.error(
    `${cells.length} rows × ${seeds.length} seeds = ${cells.length * seeds.length} runs, ${parallel} at a time; ` +
      `${images} training images, ${counts.test * classes.length} test images, ` +
      `${epochs.clean} clean and ${epochs.adversarial} adversarial epochs: about ${Math.ceil(total / 60)} minutes.`,
  );
}

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
