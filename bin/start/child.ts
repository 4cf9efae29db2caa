import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { dim, red, yellow } from '../terminal';

/** Web drains its requests and a worker ends its jobs within this time, or is killed. */
const stopWithinMs = 8_000;
/** A child that ran this long did not fail at start, so the restart delay is reset. */
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

/** A log file this large is put aside as .previous; two of them are the most that is kept. */
const largestLog = 20 * 1024 * 1024;

interface Line {
  time?: string;
  level?: string;
  msg?: string;
  err?: { message?: string };
}

/**
 * Keeps every line that web and worker print in TESSERA_HOME/tessera.log, and shows on the terminal what a
 * person should know of: warnings and errors.
 */
export class Journal {
  readonly file: string;

  constructor(
    home: string,
    private readonly showAll: boolean,
  ) {
    this.file = path.join(home, 'tessera.log');
  }

  line(from: string, text: string): void {
    if (text.trim() === '') return;
    const line = parseLine(text);
    this.write({ time: new Date().toISOString(), process: from, ...(line ?? { msg: text }) });
    const level = line?.level ?? 'text';
    if (!this.showAll && level !== 'warn' && level !== 'error') return;
    const message = line ? [line.msg, line.err?.message].filter(Boolean).join(': ') : text;
    console.log(`${dim(new Date().toTimeString().slice(0, 8))} ${from.padEnd(6)} ${colour(level)(message)}`);
  }

  /** Something the starter itself has to say. */
  say(message: string): void {
    this.write({ time: new Date().toISOString(), process: 'start', msg: message });
    console.log(`${dim(new Date().toTimeString().slice(0, 8))} ${message}`);
  }

  private write(line: object): void {
    try {
      if ((statSync(this.file, { throwIfNoEntry: false })?.size ?? 0) > largestLog) {
        renameSync(this.file, `${this.file}.previous`);
      }
      appendFileSync(this.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch {
      // A full disk must not end the instance because of its log.
    }
  }
}

function parseLine(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

const colour = (level: string) =>
  level === 'error' ? red : level === 'warn' ? yellow : (text: string) => text;
