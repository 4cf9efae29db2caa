import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import { keepFilesPrivate } from '@/bin/database/enter';
import { ensureBuild } from '@/bin/start/build';
import { terminalProgress } from '@/bin/terminal';
import { type Database, tables } from '@/db';
import { childrenOf, commandLine, findEmbedded, freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import { activeStates } from '@/lib/services/jobs/job-row';

export const kinds = ['web', 'worker', 'database'] as const;
export type Kind = (typeof kinds)[number];

interface Size {
  web: number;
  workers: number;
}

const tessera = path.join(projectFolder, 'bin', 'tessera.mjs');
const RESTART_MS = 500;

interface InstanceOptions {
  /** Where it keeps its data; not given: a temporary folder of its own. */
  home?: string;
  /** Variables for every process of the instance, PostgreSQL included. */
  env?: Record<string, string>;
}

/** A Tessera on a home of its own whose processes can be killed one by one; replicas run beside the started ones. */
export class Instance {
  readonly home: string;
  readonly log: string;
  private readonly output: number;
  private starter: ChildProcess | undefined;
  private readonly replicas = new Map<string, ChildProcess>();
  private isStopping = false;
  /** Of each web server. */
  urls: string[] = [];

  constructor(private readonly options: InstanceOptions = {}) {
    this.home = options.home ?? mkdtempSync(path.join(os.tmpdir(), 'tessera-chaos-'));
    // Beside the home: a full home must not take the output of its processes with it.
    this.log = `${this.home}.log`;
    this.output = openSync(this.log, 'a', 0o600);
  }

  async start({ web, workers }: Size): Promise<void> {
    // PostgreSQL may run as another user, who has to pass through.
    chmodSync(this.home, 0o711);
    const ports = await Promise.all(Array.from({ length: web }, () => freePort()));
    this.urls = ports.map((port) => `http://localhost:${port}`);
    this.starter = this.spawn(['start'], { PORT: String(ports[0]) });
    await this.untilReady([this.urls[0] as string]);
    for (const [n, port] of ports.slice(1).entries())
      this.replicate(`web ${n + 2}`, ['web'], { PORT: String(port) });
    for (let n = 2; n <= workers; n++) this.replicate(`worker ${n}`, ['worker'], {});
    await this.untilReady(this.urls);
  }

  get databaseUrl(): string {
    return this.server()?.url() ?? this.lastUrl;
  }

  private lastUrl = '';

  private server() {
    const secrets = readSecrets(this.home);
    const server = secrets && findEmbedded(this.home, secrets.databasePassword);
    if (server) this.lastUrl = server.url();
    return server;
  }

  /** The living processes of a kind. Of the database: the server itself, or one of its sessions. */
  processesOf(kind: Kind): number[] {
    if (kind === 'database') {
      const server = this.server();
      if (!server) return [];
      const sessions = childrenOf(server.pid).filter((pid) => commandLine(pid)?.includes('127.0.0.1('));
      // As often the server as any one of its sessions: both end every connection, in different ways.
      return [...sessions.slice(0, 1), server.pid];
    }
    const own = childrenOf(this.starter?.pid as number).filter((pid) =>
      commandLine(pid)?.endsWith(`tessera.mjs ${kind}`),
    );
    const more = [...this.replicas]
      .filter(
        ([name, child]) => name.startsWith(kind) && child.exitCode === null && child.signalCode === null,
      )
      .map(([, child]) => child.pid as number);
    return [...own, ...more];
  }

  async untilReady(urls: readonly string[], withinMs = 240_000): Promise<void> {
    const deadline = Date.now() + withinMs;
    for (const url of urls) {
      while (!(await isReady(url))) {
        if (this.starter?.exitCode !== null) throw new Error(`Tessera has ended:\n${this.lastLines()}`);
        if (Date.now() > deadline) throw new Error(`${url} is not ready:\n${this.lastLines()}`);
        await sleep(250);
      }
    }
  }

  /** As a person would; true when everything ended by itself. */
  async stop(): Promise<boolean> {
    this.isStopping = true;
    const parts = [...this.replicas.values(), ...(this.starter ? [this.starter] : [])];
    const ends = parts.map((child) => ended(child));
    for (const child of parts) child.kill('SIGTERM');
    const codes = await Promise.all(ends);
    return codes.every((code) => code === 0) && !this.server();
  }

  async remove(): Promise<void> {
    await this.server()?.stop();
    rmSync(this.home, { recursive: true, force: true });
    rmSync(this.log, { force: true });
  }

  lastLines(): string {
    return readFileSync(this.log, 'utf8').split('\n').slice(-30).join('\n');
  }

  private replicate(name: string, args: string[], env: Record<string, string>): void {
    if (this.isStopping) return;
    const child = this.spawn(args, {
      ...env,
      DATABASE_URL: this.databaseUrl,
      TESSERA_URL: this.urls[0] as string,
    });
    this.replicas.set(name, child);
    child.once('exit', () => setTimeout(() => this.replicate(name, args, env), RESTART_MS));
  }

  private spawn(args: string[], env: Record<string, string>): ChildProcess {
    return spawn(process.execPath, [tessera, ...args], {
      cwd: projectFolder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NO_COLOR: '1',
        TESSERA_HOME: this.home,
        TESSERA_DEMO: 'off',
        TESSERA_TRAINER_INSTALL: 'off',
        ...this.options.env,
        ...env,
      } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', this.output, this.output],
    });
  }
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((done) => child.once('exit', (code) => done(code)));

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/api/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/** The machine lacks something the scenario needs. It has not passed. */
export class NotPossible extends Error {}

export const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** Starts an instance for a scenario, and removes it afterwards unless something was broken. */
export async function onInstance(
  { keep }: { keep: boolean },
  size: Size,
  scenario: (instance: Instance) => Promise<boolean>,
  options: InstanceOptions = {},
): Promise<boolean> {
  keepFilesPrivate();
  await ensureBuild(terminalProgress(process.stderr));
  const instance = new Instance(options);
  // The starter does not end with this process: it is stopped here.
  process.once('SIGINT', () => void instance.stop().then(() => process.exit(130)));
  let isSound = false;
  try {
    say(`starting ${size.web} web, ${size.workers} worker on ${instance.home}`);
    await instance.start(size);
    isSound = await scenario(instance);
  } finally {
    await instance.stop();
    // A home that was given is removed by the caller.
    if (!options.home && (keep || !isSound)) say(`kept: ${instance.home}`);
    else if (!options.home) await instance.remove();
  }
  return isSound;
}

/** Prints facts and invariants; true when none is broken. */
export function conclude(facts: object, outcomes: readonly Outcome[], json: boolean): boolean {
  console.log(json ? JSON.stringify({ ...facts, outcomes }, null, 2) : textOf(facts, outcomes));
  return outcomes.every(({ violations }) => violations === 0);
}

function textOf(facts: object, outcomes: readonly Outcome[]): string {
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const rows = outcomes.map(({ name, statement, violations, examples }) =>
    [name, violations, statement, examples.join(' ')].join(' | '),
  );
  const table = ['invariant | violations | what has to hold | examples', '--- | --: | --- | ---', ...rows];
  return [...lines, '', ...table.map((row) => `| ${row} |`)].join('\n');
}

const DRAIN_MS = 300_000;

/** Waits until no job waits or runs. A job that does not end in time shows in the table as lost. */
export async function drain(db: Database): Promise<void> {
  const { jobs } = tables;
  const deadline = performance.now() + DRAIN_MS;
  while (performance.now() < deadline) {
    const active = await db
      .select({ id: jobs.id })
      .from(jobs)
      .where(inArray(jobs.state, [...activeStates]))
      .catch(() => [{}]);
    if (active.length === 0) return;
    await sleep(500);
  }
}

/** An invariant of a scenario: the offenders by name. */
export const outcomeOf = (name: string, statement: string, offenders: readonly string[]): Outcome => ({
  name,
  statement,
  violations: offenders.length,
  examples: offenders.slice(0, 3),
});
