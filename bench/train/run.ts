import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '@/lib/config';
import { type Arch, type Method, trainingPresets } from '@/lib/core/training-spec';
import { makePython, makeVersion } from '../export/make';

const here = import.meta.dirname;

/** Images a second into a snapshot, against a script of the usual kind, in turns: the best of some rounds. */
async function snapshotTable(images: number, rounds: number): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-bench-'));
  const out = path.join(folder, 'out');
  const seconds = (command: string, args: string[]): number => {
    rmSync(out, { recursive: true, force: true });
    const text = execFileSync(command, args, { encoding: 'utf8' });
    return (JSON.parse(text.trim().split('\n').at(-1) ?? '{}') as { seconds: number }).seconds;
  };
  try {
    const python = makePython(folder);
    const manifest = await makeVersion(folder, images);
    const blobs = path.join(folder, 'blobs');
    const rows = [64, 256].map((side) => {
      const given = [manifest, blobs, String(side), out];
      let [ours, script] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (let round = 0; round < rounds; round++) {
        const child = ['--import', 'tsx', path.join(here, 'snapshot-child.ts')];
        ours = Math.min(ours, seconds(process.execPath, [...child, ...given]));
        if (python) script = Math.min(script, seconds(python, [path.join(here, 'snapshot.py'), ...given]));
      }
      const [mine, theirs] = [images / ours, images / script];
      const shown = python ? [theirs.toFixed(0), (mine / theirs).toFixed(2)] : ['–', '–'];
      return `| ${side} px | ${mine.toFixed(0)} | ${shown.join(' | ')} |`;
    });
    return [
      `${images} pictures of 500 × 375 with five parts each into a snapshot, best of ${rounds}.`,
      '',
      '| side | ours, images/s | Pillow + pycocotools, images/s | ratio |',
      '| --- | ---: | ---: | ---: |',
      ...rows,
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Images a second of the trainer's loop against a bare PyTorch loop on synthetic tensors with the same network, in turns
 * and in one process, for every preset that is meant for processors. Then images a second into a snapshot, against a
 * script with Pillow and pycocotools.
 *
 *   npm run bench:train [-- --rounds 7] [--seconds 3] [--presets tiny-64,small-64] [--archs downsampled]
 *     [--methods normal,pgd] [--snapshot 1000]
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    /** Of a turn of the bare loop: as many steps as it makes in them, at least one. */
    seconds: { type: 'string', default: '3' },
    presets: { type: 'string', default: '' },
    methods: { type: 'string', default: 'normal,pgd' },
    archs: { type: 'string', default: 'baseline,downsampled,bounding-box' },
    /** Images; 0 leaves the snapshots out. */
    snapshot: { type: 'string', default: '1000' },
  },
});
const python = process.env.TESSERA_PYTHON || '/usr/bin/python3';
const chosen = trainingPresets.filter(
  ({ id, needsGpu }) => !needsGpu && (!values.presets || values.presets.split(',').includes(id)),
);

interface Measured {
  ours: number;
  bare: number;
  steps: number;
  ratio: number;
  ratios: number[];
}

console.log(
  `${os.cpus().length} processors, load ${os.loadavg()[0]?.toFixed(1)} before, median of ${values.rounds} turns each.\n`,
);
console.log(
  '| preset | model | method | steps | ours, images/s | bare, images/s | ratio | least | greatest |',
);
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const preset of chosen)
  for (const arch of values.archs.split(',') as Arch[])
    for (const method of values.methods.split(',') as Method[]) {
      const spec = preset.make({ arch, method, id: 'bench', snapshot: `sha256:${'0'.repeat(64)}`, seed: 0 });
      const input = {
        spec,
        classes: 11,
        parts: 40,
        rounds: Number(values.rounds),
        seconds: Number(values.seconds),
      };
      const done = spawnSync(python, [path.join(import.meta.dirname, 'loop.py')], {
        input: JSON.stringify(input),
        encoding: 'utf8',
        env: { ...process.env, PYTHONPATH: path.join(projectFolder, 'workers/trainer') },
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      if (done.status !== 0) throw new Error(`${preset.id} ${arch} ${method} ended with ${done.status}.`);
      const { ours, bare, steps, ratio, ratios } = JSON.parse(done.stdout) as Measured;
      const cells = [ours.toFixed(1), bare.toFixed(1), ratio, ratios[0] ?? 0, ratios.at(-1) ?? 0];
      const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell));
      console.log(`| ${preset.id} | ${arch} | ${method} | ${steps} | ${shown.join(' | ')} |`);
    }

if (Number(values.snapshot) > 0) console.log(`\n${await snapshotTable(Number(values.snapshot), 3)}`);
