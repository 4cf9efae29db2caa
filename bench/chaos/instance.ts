import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf, commandLine, findEmbedded, freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import { readSecrets } from '@/lib/config/secrets';

export const kinds = ['web', 'worker', 'database'] as const;
export type Kind = (typeof kinds)[number];

export interface Size {
  web: number;
  workers: number;
}

const tessera = path.join(projectFolder, 'bin', 'tessera.mjs');
const RESTART_MS = 500;

export interface InstanceOptions {
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
