import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { JobSpec } from '@/lib/core/training-spec';
import { trainerFolder } from '@/lib/services/training/launch/python';

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
