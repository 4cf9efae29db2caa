import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf as allChildrenOf, commandLine, findEmbedded, freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';

type Environment = Record<string, string>;

const tessera = path.join(projectFolder, 'bin', 'tessera.mjs');

export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command of `tessera` to its end, as a person would. */
export async function runTessera(args: string[], env: Environment = {}): Promise<Ended> {
  const running = startTessera(args, env);
  const code = await running.ended;
  return { code, output: running.output() };
}

export interface Running {
  process: ChildProcess;
  ended: Promise<number | null>;
  output(): string;
  /** Waits until this has been printed; fails with what was printed when the process ends before. */
  says(text: string | RegExp): Promise<void>;
}

export const startTessera = (args: string[], env: Environment = {}): Running =>
  startWrapped((command) => [...command], args, env);

/** Runs a command of `tessera` by another program: one that gives it a disk or a clock of its own. */
export function startWrapped(
  wrap: (command: readonly string[]) => string[],
  args: string[],
  env: Environment = {},
): Running {
  const [program = '', ...rest] = wrap([process.execPath, tessera, ...args]);
  const child = spawn(program, rest, {
    cwd: projectFolder,
    // Vitest's own settings would make Next a development server; npm's would make it follow npm.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NO_COLOR: '1',
      ...env,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    process: child,
    ended,
    output: () => output,
    async says(text) {
      while (!output.match(text)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended:\n${output}`);
        await sleep(50);
      }
    },
  };
}

/** A home and a port of its own; everything that still runs on it is ended with `remove`. */
export async function temporaryHome() {
  const home = mkdtempSync(path.join(os.tmpdir(), 'tessera-run-'));
  // PostgreSQL may run as another user, who has to pass through.
  chmodSync(home, 0o711);
  const port = await freePort();
  return {
    home,
    port,
    url: `http://localhost:${port}`,
    env: { TESSERA_HOME: home, PORT: String(port), TESSERA_DEMO: 'off' },
    logFile: () => readFileSync(path.join(home, 'tessera.log'), 'utf8'),
    server: () => {
      const secrets = readSecrets(home);
      return secrets && findEmbedded(home, secrets.databasePassword);
    },
    async remove() {
      await this.server()?.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Web and worker of an instance. */
export const childrenOf = (pid: number): number[] =>
  allChildrenOf(pid).filter((each) => commandLine(each)?.includes('tessera.mjs'));
