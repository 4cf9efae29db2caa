import { spawn } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { Progress, Step } from '../terminal/progress';
import type { SignIn } from './block';

/**
 * Makes the demo workspace where it is missing; silent when there is nothing to do. In a process of its own,
 * because the generator of pictures takes memory that the starter would keep for as long as it runs.
 */
export async function makeDemo(
  env: NodeJS.ProcessEnv,
  progress: Progress,
  signal: AbortSignal,
): Promise<SignIn[]> {
  const child = spawn(process.execPath, [path.join(projectFolder, 'bin', 'tessera.mjs'), 'demo', '--json'], {
    cwd: projectFolder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  signal.addEventListener('abort', () => child.kill('SIGKILL'));
  let step: Step | undefined;
  child.on('message', (text) => {
    step ??= progress.begin('Making the demo workspace (once)');
    step.update(String(text));
  });
  let answer = '';
  let complaint = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  if (code === 0) {
    step?.done('Made the demo workspace');
    return JSON.parse(answer);
  }
  if (!signal.aborted) step?.failed();
  throw new TesseraError('unavailable', `The demo workspace could not be made:\n${complaint.trim()}`);
}
