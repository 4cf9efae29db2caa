import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobSpec } from '@/lib/core/training-spec';
import { trainerFolder } from '@/lib/services/training/launch/python';
import { writeSnapshot } from '@/lib/services/training/write-snapshot';
import { type Counts, makeScenes, type Setting, scenesHash } from './scenes';

const readJson = async (file: string) =>
  JSON.parse((await readFile(file, 'utf8').catch(() => 'null')) || 'null') as { state?: string } | null;

/** The verdict of a run that is over. */
export async function verdictOf(folder: string): Promise<object | null> {
  const verdict = await readJson(path.join(folder, 'result.json'));
  return verdict?.state === 'succeeded' ? verdict : null;
}

/** Trains in its folder; what is there already is gone on with. */
export async function train(
  python: string,
  folder: string,
  spec: JobSpec,
  data: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'job.json'), JSON.stringify(spec));
  await writeFile(path.join(folder, 'data.json'), JSON.stringify({ path: data }));
  const log = openSync(path.join(folder, 'log.txt'), 'a');
  const child = spawn(python, ['-m', 'tessera_trainer', folder], {
    cwd: trainerFolder,
    env: { ...process.env, PYTHONPATH: trainerFolder, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', log, log],
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  signal.removeEventListener('abort', stop);
  if (!signal.aborted && !(await verdictOf(folder)))
    throw new Error(`${path.basename(folder)} ended with ${code}: see ${path.join(folder, 'log.txt')}`);
}

/** Seconds that all attempts at it took, from what they told. */
export async function secondsOf(folder: string): Promise<number> {
  const text = await readFile(path.join(folder, 'events.jsonl'), 'utf8').catch(() => '');
  const spans = new Map<number, [first: number, last: number]>();
  for (const line of text.split('\n').filter(Boolean)) {
    const { attempt, t } = JSON.parse(line) as { attempt: number; t: number };
    spans.set(attempt, [spans.get(attempt)?.[0] ?? t, t]);
  }
  return [...spans.values()].reduce((sum, [first, last]) => sum + last - first, 0);
}

export interface MadeSnapshot {
  folder: string;
  /** As a spec names it. */
  hash: string;
}

/** The scenes of a setting as the trainer reads them; made once in a folder. */
export async function ensureSnapshot(root: string, setting: Setting, counts: Counts): Promise<MadeSnapshot> {
  const folder = path.join(root, `scenes-${setting}-${scenesHash(setting, counts).slice(0, 8)}`);
  const manifest = path.join(folder, 'manifest.json');
  if (existsSync(manifest)) {
    const hash = createHash('sha256')
      .update(await readFile(manifest))
      .digest('hex');
    return { folder, hash: `sha256:${hash}` };
  }
  const { dataset, pictures } = await makeScenes(setting, counts);
  return writeSnapshot({
    dataset,
    pictures,
    choice: { classes: 'class', view: { kind: 'whole', side: 64 } },
    folder,
    signal: new AbortController().signal,
    progress: async () => {},
  });
}
