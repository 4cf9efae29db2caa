import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine, freePort, parentOf } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import type { Fetch } from '@/lib/demo/simulation/http/client';

interface Replicas extends AsyncDisposable {
  /** Of the web servers beside the started one. */
  urls: string[];
  web: number[];
  worker: number[];
}

const startWithinMs = 120_000;

/** More web servers and workers beside the instance that runs, on its database and its home, as `docs/growing.md` has it. */
export async function startReplicas({ web, worker }: { web: number; worker: number }): Promise<Replicas> {
  const children: ChildProcess[] = [];
  const run = (args: string[], env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [path.join(projectFolder, 'bin', 'tessera.mjs'), ...args], {
      cwd: projectFolder,
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    children.push(child);
    return child.pid as number;
  };
  const ports = await Promise.all(Array.from({ length: web }, () => freePort()));
  const replicas: Replicas = {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    web: ports.map((port) => run(['web'], { PORT: String(port), HOST: '127.0.0.1' })),
    worker: Array.from({ length: worker }, () => run(['worker'])),
    async [Symbol.asyncDispose]() {
      const ends = children.map((child) => child.exitCode ?? new Promise((done) => child.once('exit', done)));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(ends);
    },
  };
  const deadline = Date.now() + startWithinMs;
  for (const url of replicas.urls) {
    while (
      !(await fetch(`${url}/api/ready`).then(
        (reply) => reply.ok,
        () => false,
      ))
    ) {
      if (Date.now() > deadline) throw new Error(`${url} is not ready.`);
      await sleep(200);
    }
  }
  return replicas;
}

/** Each request goes to the next server in turn, as a load balancer without memory would send it. */
export function inTurns(own: string, others: readonly string[]): Fetch {
  const urls = [own, ...others];
  let next = 0;
  return (url, init) => fetch(url.replace(own, urls[next++ % urls.length] as string), init);
}

/** Megabytes of a group of processes at one moment. */
type Sample = Record<string, number>;

interface Growth {
  /** Megabytes: medians of the first, the middle and the last tenth of the time. */
  start: number;
  middle: number;
  end: number;
  most: number;
  /** Megabytes a minute over the second half: what a leak would show. */
  perMinute: number;
}

interface Watched extends Growth {
  /** Processor time of the group over the whole time, user and system. */
  cpuSeconds: number;
}

const everyMs = 1000;
const kilo = 1024;

/** Watches memory and processor time of groups of processes until it is stopped. The numbers of a group may change: they are asked anew. */
export class ProcessWatch {
  private readonly samples: Sample[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly began: Record<string, number>;

  constructor(private readonly groups: Record<string, () => readonly number[]>) {
    this.began = this.cpu();
    this.look();
    this.timer = setInterval(() => this.look(), everyMs);
  }

  stop(): Record<string, Watched> {
    clearInterval(this.timer);
    this.look();
    const cpu = this.cpu();
    return Object.fromEntries(
      Object.keys(this.groups).map((name) => {
        const spent = (cpu[name] ?? 0) - (this.began[name] ?? 0);
        const growth = growthOf(this.samples.map((each) => each[name] ?? 0));
        return [name, { ...growth, cpuSeconds: Math.round(10 * spent) / 10 }];
      }),
    );
  }

  private cpu(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.groups).map(([name, pids]) => [
        name,
        pids().reduce((sum, pid) => sum + cpuOf(pid), 0),
      ]),
    );
  }

  private look(): void {
    this.samples.push(
      Object.fromEntries(Object.entries(this.groups).map(([name, pids]) => [name, megabytes(pids())])),
    );
  }
}

/** What each process has for itself, and once what they share: PostgreSQL's buffers and program are one memory for all. */
function megabytes(pids: readonly number[]): number {
  const each = pids.map(statusOf);
  const own = each.reduce((sum, status) => sum + field(status, 'RssAnon'), 0);
  const shared = (name: string) => Math.max(0, ...each.map((status) => field(status, name)));
  return (own + shared('RssFile') + shared('RssShmem')) / kilo;
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}

/** Linux counts in hundredths of a second. Fields 14 to 17: its own time, and that of children that have ended. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

const field = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);

function growthOf(values: readonly number[]): Growth {
  const tenth = Math.max(1, Math.floor(values.length / 10));
  const half = Math.floor((values.length - tenth) / 2);
  const round = (value: number) => Math.round(10 * value) / 10;
  return {
    start: round(median(values.slice(0, tenth))),
    middle: round(median(values.slice(half, half + tenth))),
    end: round(median(values.slice(-tenth))),
    most: round(Math.max(...values)),
    perMinute: round((slope(values.slice(Math.floor(values.length / 2))) * 60_000) / everyMs),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Least squares, per sample. */
function slope(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const top = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  return top / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
}

/** Children whose command line holds the words, as Linux tells them. */
export function childrenSaying(parent: number, words: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && parentOf(pid) === parent && commandLine(pid)?.includes(words));
}
