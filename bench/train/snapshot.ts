import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeVersion } from '../export/make';
import { makePython } from '../export/make-python';

const here = import.meta.dirname;

/** Images a second into a snapshot, against a script of the usual kind, in turns: the best of some rounds. */
export async function snapshotTable(images: number, rounds: number): Promise<string> {
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
