/**
 * Exports of a generated version side by side with a plain copy of its pictures (the physical limit) and with a Python
 * script of the usual kind, in turns and in one run. Each export runs in a process of its own, whose memory is told.
 *
 *   npm run bench:export [-- --images 5000] [--rounds 3]
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { formats } from '@/lib/formats';
import { makeVersion } from './make';

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    formats: { type: 'string', default: '' },
  },
});
const count = Number(values.images);
const rounds = Number(values.rounds);
const chosen = formats.filter(({ id }) => !values.formats || values.formats.split(',').includes(id));
const scripted = ['png-masks', 'apm-part-imagenet', 'coco-panoptic', 'coco'];

interface Measured {
  seconds: number;
  peakMb?: number;
  refused?: string;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-bench-'));
const blobs = path.join(folder, 'blobs');
const out = path.join(folder, 'out');
const here = import.meta.dirname;

const run = (command: string, args: string[]): Measured => {
  rmSync(out, { recursive: true, force: true });
  const text = execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '{}');
};

const ours = (manifest: string, id: string) =>
  run(process.execPath, ['--import', 'tsx', path.join(here, 'child.ts'), manifest, blobs, id, out]);

function copy(): Measured {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const stored = readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const began = performance.now();
  for (const file of stored) copyFileSync(file, path.join(out, path.basename(file)));
  return { seconds: (performance.now() - began) / 1000 };
}

/** A throw-away environment; null where it cannot be made. */
function makePython(): string | null {
  try {
    const venv = path.join(folder, 'venv');
    execFileSync('python3', ['-m', 'venv', venv]);
    execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', 'numpy', 'pillow', 'pycocotools']);
    return path.join(venv, 'bin/python');
  } catch {
    console.log('No Python environment could be made: the columns of Python are empty.\n');
    return null;
  }
}

try {
  const python = makePython();
  const small = await makeVersion(folder, Math.round(count / 10));
  const large = await makeVersion(folder, count);
  const best = new Map<string, Measured>();
  const note = (key: string, measured: Measured) => {
    const known = best.get(key);
    if (!known || measured.seconds < known.seconds) best.set(key, measured);
  };
  for (let round = 0; round < rounds; round++) {
    note('copy', copy());
    for (const { id } of chosen) {
      if (best.get(id)?.refused) continue;
      note(id, ours(large, id));
      if (python && scripted.includes(id))
        note(`python ${id}`, run(python, [path.join(here, 'baseline.py'), large, blobs, id, out]));
    }
  }
  const limit = best.get('copy')?.seconds ?? 0;
  console.log(
    `${count} images of 500 × 375, five parts each, best of ${rounds}; ${os.cpus().length} processors.`,
  );
  console.log(`A plain copy of the pictures takes ${limit.toFixed(2)} s.\n`);
  console.log('| format | seconds | × copy | Python | × as fast as Python | MB at a tenth | MB |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { id } of chosen) {
    const found = best.get(id);
    if (!found || found.refused) {
      console.log(`| ${id} | refuses this schema | | | | | |`);
      continue;
    }
    const script = best.get(`python ${id}`);
    const tenth = ours(small, id);
    console.log(
      `| ${id} | ${found.seconds.toFixed(2)} | ${(found.seconds / limit).toFixed(2)} | ${script ? script.seconds.toFixed(2) : '–'} | ${script ? (script.seconds / found.seconds).toFixed(1) : '–'} | ${tenth.peakMb?.toFixed(0)} | ${found.peakMb?.toFixed(0)} |`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
