import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { Progress } from '../terminal';
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

/** What the web build is made of. A file that is not there counts as absent, and counts when it appears. */
const inputs = [
  'app',
  'lib',
  'db',
  'workers',
  'messages',
  'public',
  'proxy.ts',
  'instrumentation.ts',
  'next.config.js',
  'postcss.config.mjs',
  'tsconfig.json',
  'package-lock.json',
];

/** Equal when a build would come out equal: names and contents of all inputs. */
export function hashOfInputs(folder: string): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesIn(path.join(folder, input)))) {
    hash.update(path.relative(folder, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(input: string): string[] {
  const found = statSync(input, { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [input];
  return readdirSync(input, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
