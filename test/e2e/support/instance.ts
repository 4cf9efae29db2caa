import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../../db/embedded';
import { tinyModels } from './tiny-models';

/** Printed when the web, the worker and the whole demo are there. The web answers earlier. */
export const isRunning = /is running at/;

export const instanceEnvironment = (port: string, home: string) => ({
  PORT: port,
  TESSERA_HOME: home,
  TESSERA_DEMO_PASSWORD: 'mosaic-of-tests',
  TESSERA_PROLIFIC_FRAME_ORIGIN: 'http://market.example',
  ...tinyModels(),
});

/** A home with a finished demo, made once by a run that starts several instances: a copy starts in seconds. */
export async function prepareHome(): Promise<string> {
  const home = newHome();
  const child = spawn(process.execPath, ['bin/tessera.mjs', 'start'], {
    env: { ...process.env, ...instanceEnvironment(String(await freePort()), home) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (isRunning.test(line)) break;
  }
  if (!lines.some((line) => isRunning.test(line)))
    throw new Error(`The instance for the browser stories did not start.\n${lines.join('\n')}`);
  child.stdout.resume();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return home;
}

/** Owners and modes stay: the database may belong to another user. */
export function copyHome(prepared: string): string {
  const home = newHome();
  execFileSync('cp', ['-a', `${prepared}/.`, home]);
  return home;
}

export const removeHome = (home: string) => rmSync(home, { recursive: true, force: true });

function newHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-e2e-'));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(home, 0o711);
  return home;
}
