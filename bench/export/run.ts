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
import { formats } from '@/lib/core/formats';
import { makePython, makeVersion } from './make';

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

/** What earlier writers left in memory is on the disk before the next begins: all start alike. */
function settle(): void {
  rmSync(out, { recursive: true, force: true });
  execFileSync('sync');
}

const run = (command: string, args: string[]): Measured => {
  settle();
  const text = execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '{}');
};

const ours = (manifest: string, id: string) =>
  run(process.execPath, ['--import', 'tsx', path.join(here, 'child.ts'), manifest, blobs, id, out]);

function copy(): Measured {
  settle();
  mkdirSync(out);
  const stored = readdirSync(blobs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const began = performance.now();
  for (const file of stored) copyFileSync(file, path.join(out, path.basename(file)));
  return { seconds: (performance.now() - began) / 1000 };
}

try {
  const python = makePython(folder);
  const small = await makeVersion(folder, Math.round(count / 10));
  const large = await makeVersion(folder, count);
  const all = new Map<string, Measured[]>();
  const note = (key: string, measured: Measured) => {
    const known = all.get(key);
    if (known) known.push(measured);
    else all.set(key, [measured]);
  };
  for (let round = 0; round < rounds; round++)
    for (const { id } of chosen) {
      if (all.get(id)?.[0]?.refused) continue;
      // Beside each export: how fast the disk is changes from minute to minute.
      note(`copy ${id}`, copy());
      note(id, ours(large, id));
      if (python && scripted.includes(id))
        note(`python ${id}`, run(python, [path.join(here, 'baseline.py'), large, blobs, id, out]));
    }
  /** The middle one by time. */
  const middle = (key: string): Measured | undefined => {
    const sorted = all.get(key)?.toSorted((a, b) => a.seconds - b.seconds);
    return sorted?.[Math.floor((sorted.length - 1) / 2)];
  };
  console.log(
    `${count} images of 500 × 375, five parts each, middle of ${rounds}; ${os.cpus().length} processors.\n`,
  );
  console.log('| format | seconds | copy | × copy | Python | × as fast as Python | MB at a tenth | MB |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { id } of chosen) {
    const found = middle(id);
    if (!found || found.refused) {
      console.log(`| ${id} | refuses this schema | | | | | | |`);
      continue;
    }
    const limit = middle(`copy ${id}`)?.seconds ?? 0;
    const script = middle(`python ${id}`);
    const tenth = ours(small, id);
    const cells = [
      id,
      found.seconds.toFixed(2),
      limit.toFixed(2),
      (found.seconds / limit).toFixed(2),
      script ? script.seconds.toFixed(2) : '–',
      script ? (script.seconds / found.seconds).toFixed(1) : '–',
      tenth.peakMb?.toFixed(0),
      found.peakMb?.toFixed(0),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
