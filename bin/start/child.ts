import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { Journal } from './journal';

/** Web drains its requests and a worker ends its jobs within this time, or is killed. */
const stopWithinMs = 8_000;
/** A child that worked this long was not failing at its start: the waiting before a restart begins anew. */
const healthyAfterMs = 10_000;
const longestWaitMs = 10_000;

/** A process of the instance that is started again when it dies. */
export class Child {
  private process: ChildProcess | undefined;
  private stopping = false;
  private crashes = 0;
  private restart: NodeJS.Timeout | undefined;
  private lastLines: string[] = [];

  constructor(
    private readonly name: 'web' | 'worker',
    private readonly args: string[],
    private readonly env: NodeJS.ProcessEnv,
    private readonly journal: Journal,
  ) {}

  /** Resolves when the child says that it is ready; rejects when it dies before. */
  start(): Promise<void> {
    const child = this.launch();
    return new Promise((done, failed) => {
      child.once('message', () => {
        child.on('exit', (code, signal) => this.crashed(code ?? signal));
        done();
      });
      child.once('exit', (code, signal) => {
        if (this.stopping) return done();
        failed(
          new TesseraError(
            'unavailable',
            [
              `The ${this.name} process ended at once (${code ?? signal}).`,
              ...this.lastLines.map((line) => `  ${line}`),
            ].join('\n'),
          ),
        );
      });
    });
  }

  expectEnd(): void {
    this.stopping = true;
    clearTimeout(this.restart);
  }

  async stop(): Promise<void> {
    this.expectEnd();
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
    await gone;
    clearTimeout(late);
  }

  kill(): void {
    this.expectEnd();
    this.process?.kill('SIGKILL');
  }

  private launch(): ChildProcess {
    const child = spawn(process.execPath, [path.join(projectFolder, 'bin', 'tessera.mjs'), ...this.args], {
      cwd: projectFolder,
      env: this.env,
      // The fourth is the line that tells the child when we are gone, even if we are killed.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.lastLines = [];
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lastLines = [...this.lastLines.slice(-14), line];
        this.journal.line(this.name, line);
      });
    }
    this.process = child;
    return child;
  }

  private crashed(cause: number | string | null): void {
    if (this.stopping) return;
    const wait = Math.min(1000 * 2 ** this.crashes, longestWaitMs);
    this.crashes += 1;
    this.journal.say(`The ${this.name} process died (${cause}); it is started again in ${wait / 1000} s.`);
    this.restart = setTimeout(() => {
      const child = this.launch();
      let healthy: NodeJS.Timeout | undefined;
      child.once('message', () => {
        this.journal.say(`The ${this.name} process is back.`);
        healthy = setTimeout(() => {
          this.crashes = 0;
        }, healthyAfterMs);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(healthy);
        this.crashed(code ?? signal);
      });
    }, wait);
  }
}
