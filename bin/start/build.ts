import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { Progress } from '../terminal/progress';
import { hashOfInputs } from './build-inputs';
import { takeLock } from './lock';

const buildFolder = path.join(projectFolder, '.next');
const stamp = path.join(buildFolder, 'tessera-build');
/** Next empties its folder before it builds, but for the cache. */
const lockFile = path.join(buildFolder, 'cache', 'tessera-build.lock');

/** Builds the web app unless the build there was made from the same sources. */
export async function ensureBuild(progress: Progress, signal?: AbortSignal): Promise<void> {
  const wanted = hashOfInputs(projectFolder);
  if (builtFrom() === wanted) return;
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const step = progress.begin('Building the web app (once; later starts reuse it)');
  for (;;) {
    const lock = takeLock(lockFile, '');
    if ('release' in lock) {
      try {
        if (builtFrom() !== wanted) await build(wanted, step.update, signal);
        step.done('Built the web app');
        return;
      } catch (error) {
        step.failed();
        throw error;
      } finally {
        lock.release();
      }
    }
    step.update(`process ${lock.pid} is building it already`);
    await sleep(500);
  }
}

function builtFrom(): string | undefined {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return undefined;
  }
}

async function build(hash: string, onLine: (line: string) => void, signal?: AbortSignal): Promise<void> {
  rmSync(stamp, { force: true });
  const next = path.join(projectFolder, 'node_modules', 'next', 'dist', 'bin', 'next');
  const child = spawn(process.execPath, [next, 'build'], {
    cwd: projectFolder,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const line = text.trim().split('\n').at(-1)?.trim();
      if (line) onLine(line);
    });
  }
  const stop = () => child.kill();
  process.once('exit', stop);
  signal?.addEventListener('abort', stop);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  process.off('exit', stop);
  if (code !== 0) {
    throw new TesseraError('unavailable', `The web app could not be built:\n${said.trim()}`);
  }
  writeFileSync(stamp, hash);
}
