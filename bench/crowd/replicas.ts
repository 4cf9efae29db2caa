import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@/db/embedded';
import { projectFolder } from '@/lib/config';
import type { Fetch } from '@/lib/demo/simulation/http/client';

export interface Replicas extends AsyncDisposable {
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
