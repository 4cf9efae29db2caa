import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Rng } from '@/lib/demo/scenes/prng';
import { Client } from '@/lib/demo/simulation/http/client';
import { Traffic } from '@/lib/demo/simulation/http/traffic';
import type { Hits } from './activities';
import type { Instance } from './instance';

const CHUNKS = 40;
const CHUNK_BYTES = 100_000;
const CHUNK_MS = 50;

/** Kills the web server while a file is on its way, then sends the file again, as a browser does. */
export async function killDuringUpload(
  instance: Instance,
  db: Database,
  { browser, project }: { browser: Browser; project: string },
  { rounds, random }: { rounds: number; random: Rng },
): Promise<{ hits: Hits; broken: string[] }> {
  const hits: Hits = { begun: 0, hit: 0 };
  const broken: string[] = [];
  const { id } = await browser.ask<{ id: string }>('POST', `/projects/${project}/uploads`, {});
  const { uploadFiles } = tables;
  for (let round = 1; round <= rounds; round++) {
    const name = `slow-${round}.jpg`;
    const bytes = randomBytes(CHUNKS * CHUNK_BYTES);
    const path = `/projects/${project}/uploads/${id}/files?name=${name}`;
    let sent = 0;
    async function* slowly() {
      for (; sent < CHUNKS; sent++) {
        yield new Uint8Array(bytes.subarray(sent * CHUNK_BYTES, (sent + 1) * CHUNK_BYTES));
        await sleep(CHUNK_MS);
      }
    }
    hits.begun += 1;
    const reply = browser.send('PUT', path, slowly());
    await sleep(random.integer(50, CHUNKS * CHUNK_MS));
    const isUnderWay = sent < CHUNKS;
    for (const pid of instance.processesOf('web')) process.kill(pid, 'SIGKILL');
    const status = await reply.then(
      (answered) => answered.status,
      () => 0,
    );
    if (isUnderWay) hits.hit += 1;
    await instance.untilReady(instance.urls);
    const stored = () => db.select().from(uploadFiles).where(eq(uploadFiles.name, name));
    const before = (await stored()).length;
    if (before > (status === 200 || !isUnderWay ? 1 : 0)) broken.push(`${name}: a half file is visible`);
    await browser.put(path, bytes);
    if ((await stored()).length !== 1) broken.push(`${name}: not there exactly once`);
  }
  return { hits, broken };
}

/** A person who waits for a server that is restarted, also on a machine that is busy with other work. */
const retryPolicy = { tries: 400, maxWaitMs: 2_500 };

/** One signed-in person. `ask` and `put` are repeated until they are answered; `send` is one request and no more. */
export class Browser {
  private cookie = '';
  private readonly client: Client;

  constructor(private readonly url: string) {
    const noting: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
      if (cookies.length > 0) this.cookie = cookies.join('; ');
      return reply;
    };
    this.client = new Client(url, new Traffic(), noting as never, {}, retryPolicy);
  }

  signIn(email: string, password: string): Promise<void> {
    return this.client.signIn(email, password);
  }

  ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown): Promise<T> {
    return this.client.request<T>('curator', path, { method, json });
  }

  put<T>(path: string, bytes: Uint8Array): Promise<T> {
    return this.client.request<T>('curator', path, { method: 'PUT', bytes: new Uint8Array(bytes) });
  }

  send(method: string, path: string, body?: BodyInit | AsyncIterable<Uint8Array>): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { accept: 'application/json', origin: new URL(this.url).origin, cookie: this.cookie },
      body: body as BodyInit,
      // Node needs it for a body that is a stream.
      ...{ duplex: 'half' },
    });
  }
}
