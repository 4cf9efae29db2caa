/**
 * Imports a generated flat COCO dataset and exports it again, in turns with a Python script (Pillow and pycocotools)
 * that does the same on the same cores. Tessera additionally writes to PostgreSQL and freezes a version in between; the
 * freeze is reported separately and counts as part of the export.
 *
 *   npm run bench:import [-- --images 10000] [--rounds 1] [--json]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makePython } from '../export/make';
import { makeCoco } from './make';

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const count = Number(values.images);
const here = import.meta.dirname;

interface Measured {
  importSeconds: number;
  freezeSeconds?: number;
  exportSeconds: number;
  labels: number;
  peakMb: number;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-bench-'));
const out = path.join(folder, 'out');

function run(command: string, args: string[]): Measured {
  rmSync(out, { recursive: true, force: true });
  execFileSync('sync');
  const text = execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '{}');
}

const ours = (dataset: string) =>
  run(process.execPath, ['--import', 'tsx', path.join(here, 'child.ts'), dataset, out]);
const total = ({ importSeconds, freezeSeconds = 0, exportSeconds }: Measured) =>
  importSeconds + freezeSeconds + exportSeconds;
const median = (list: readonly Measured[]): Measured =>
  list.toSorted((a, b) => total(a) - total(b))[Math.floor((list.length - 1) / 2)] as Measured;

try {
  const python = makePython(folder);
  const large = path.join(folder, 'large');
  const small = path.join(folder, 'small');
  await makeCoco(large, count);
  await makeCoco(small, Math.round(count / 10));
  const runs: Measured[] = [];
  const scripts: Measured[] = [];
  const parallel: Measured[] = [];
  const script = (processes: number) =>
    run(python as string, [path.join(here, 'baseline.py'), large, String(processes), out]);
  for (let round = 0; round < Number(values.rounds); round++) {
    runs.push(ours(large));
    if (!python) continue;
    scripts.push(script(1));
    parallel.push(script(os.availableParallelism()));
  }
  const own = median(runs);
  const tenth = ours(small);
  const baseline = python ? median(scripts) : undefined;
  const pool = python ? median(parallel) : undefined;
  const ratioTo = (other: Measured | undefined) => (other ? total(other) / total(own) : null);
  const result = {
    images: count,
    labels: own.labels,
    ratio: ratioTo(baseline),
    ratioToParallelPython: ratioTo(pool),
    imagesPerSecond: count / own.importSeconds,
    peakMb: own.peakMb,
    peakMbAtTenth: tenth.peakMb,
    own,
    python: baseline ?? null,
    parallelPython: pool ?? null,
  };
  if (values.json) console.log(JSON.stringify(result));
  else {
    console.log(`${count} images of 512 × 512, ${own.labels} labels; ${os.cpus().length} processors.\n`);
    console.log('| | import s | freeze s | export s | total s | peak MB |');
    console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
    const row = (name: string, each: Measured) =>
      console.log(
        `| ${name} | ${each.importSeconds.toFixed(1)} | ${each.freezeSeconds?.toFixed(1) ?? '–'} | ${each.exportSeconds.toFixed(1)} | ${total(each).toFixed(1)} | ${each.peakMb.toFixed(0)} |`,
      );
    row('Tessera', own);
    if (baseline) row('Python', baseline);
    if (pool) row('Python, all cores', pool);
    row('Tessera, a tenth of the images', tenth);
    if (baseline) console.log(`\n${(result.ratio ?? 0).toFixed(2)} times as fast as the Python script.`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
