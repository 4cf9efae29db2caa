import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Capabilities } from '../launch/launcher';
import type { TakenRun } from '../remote/take-run';
import type { RunEvent, RunResult } from '../runs/follow-events';

export type { TakenRun };

/** The platform answered, and the answer is no. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A later attempt has the run, or it is not there any more: nothing of it is wanted. */
export const isLost = (error: unknown): boolean =>
  error instanceof Refused && (error.status === 404 || error.status === 409);

/** What this machine cannot do: a full disk, a folder that is not its own, a file that never arrives whole. */
class Unable extends Error {}

const ofTheDisk = /^(ENOSPC|EDQUOT|EFBIG|EROFS|EACCES|EPERM|EIO|ENOENT|ENOTDIR|EISDIR|EMFILE|ENFILE)$/;

/** Errors of reading a file that is sent come wrapped by the request. */
const isOfTheDisk = (error: unknown): boolean => {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } };
  return [code, cause?.code].some((each) => typeof each === 'string' && ofTheDisk.test(each));
};

/** Asking again may help: nobody answers, or the server is out of order for the moment. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refused
    ? error.status >= 500 || error.status === 429
    : !(error instanceof Unable) && !isOfTheDisk(error);

const ANSWER_MS = 60_000;
const LONGEST_PAUSE_MS = 15_000;

/** Tries until it works, is refused, or is not wanted any more. A gap in the network is nothing special. */
export async function patiently<T>(work: () => Promise<T>, until: AbortSignal): Promise<T> {
  for (let pause = 500; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    until.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await sleep(pause, undefined, { signal: until });
    }
  }
}

interface Request {
  method?: 'GET' | 'POST' | 'PUT';
  json?: unknown;
  body?: ReadableStream;
  bytes?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The instance a trainer works for, spoken to by its API. It needs no other way in: the trainer asks, always. */
export class Platform {
  #trainer = '';

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async enrol(name: string, capabilities: Capabilities): Promise<void> {
    const { id } = await this.#ask<{ id: string }>('', { method: 'POST', json: { name, capabilities } });
    this.#trainer = id;
  }

  async take(): Promise<TakenRun | null> {
    const { run } = await this.#ask<{ run: TakenRun | null }>(`/${this.#trainer}/runs`, { method: 'POST' });
    return run;
  }

  heartbeat = (run: TakenRun): Promise<{ stop: boolean }> => this.#post(run, 'heartbeat', {});

  sendEvents = (run: TakenRun, events: readonly RunEvent[]): Promise<unknown> =>
    this.#post(run, 'events', { events });

  sendVerdict = (run: TakenRun, result: RunResult): Promise<unknown> =>
    this.#post(run, 'verdict', { result });

  giveBack = (run: TakenRun, lost: boolean): Promise<unknown> => this.#post(run, 'release', { lost });

  /** The bytes from `from` on; fewer may have been asked for than are sent. */
  openFile(run: TakenRun, path: string, from: number, signal: AbortSignal): Promise<Response> {
    return this.#send(`${this.#of(run)}/files?${query({ attempt: run.attempt, path })}`, {
      headers: { accept: '*/*', ...(from > 0 ? { range: `bytes=${from}-` } : {}) },
      signal,
    });
  }

  async sendFile(
    run: TakenRun,
    file: { path: string; sha256: string; bytes: number; body: ReadableStream },
    signal: AbortSignal,
  ): Promise<void> {
    const asked = query({ attempt: run.attempt, path: file.path, sha256: file.sha256 });
    const { body, bytes } = file;
    const reply = await this.#send(`${this.#of(run)}/files?${asked}`, { method: 'PUT', body, bytes, signal });
    await reply.arrayBuffer();
  }

  #of = (run: TakenRun): string => `/${this.#trainer}/runs/${run.id}`;

  #post<T>(run: TakenRun, what: string, json: object): Promise<T> {
    return this.#ask(`${this.#of(run)}/${what}`, { method: 'POST', json: { attempt: run.attempt, ...json } });
  }

  async #ask<T>(path: string, request: Request): Promise<T> {
    const reply = await this.#send(path, { signal: AbortSignal.timeout(ANSWER_MS), ...request });
    const text = await reply.text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

  async #send(path: string, { json, body, bytes, headers, ...request }: Request): Promise<Response> {
    const reply = await fetch(`${this.url}/api/v1/trainers${path}`, {
      ...request,
      // The key is for this instance only: it does not follow to wherever somebody sends us.
      redirect: 'error',
      headers: {
        authorization: `Bearer ${this.key}`,
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(body ? { 'content-type': 'application/octet-stream', 'content-length': String(bytes) } : {}),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      ...(body ? { duplex: 'half' } : {}),
    });
    if (reply.ok) return reply;
    throw new Refused(reply.status, await reasonOf(reply));
  }
}

const query = (values: Record<string, string | number>): string =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();

/** The API answers with problem+json, whose detail is written for people. */
async function reasonOf(reply: Response): Promise<string> {
  const text = await reply.text().catch(() => '');
  try {
    return (JSON.parse(text) as { detail?: string }).detail ?? text;
  } catch {
    return `The server answers ${reply.status}; is this a Tessera?`;
  }
}

/** Snapshots that no run has used for so long are fetched again when one does. */
const UNUSED_MS = 14 * 24 * 3_600_000;

interface Wanted {
  sha256: string;
  bytes: number;
  /** The bytes from an offset on. */
  open(from: number): Promise<Response>;
}

/** Files by their hash: many runs train on one snapshot, and a download that was cut goes on where it ended. */
export class FileCache {
  constructor(private readonly folder: string) {}

  /** Makes the file appear at a place, whole and with the right content. */
  async fetch(wanted: Wanted, place: string, until: AbortSignal): Promise<void> {
    const file = path.join(this.folder, wanted.sha256);
    await mkdir(this.folder, { recursive: true });
    if (!(await this.#isWhole(file, wanted))) await this.#download(file, wanted, until);
    const now = new Date();
    await utimes(file, now, now);
    await mkdir(path.dirname(place), { recursive: true });
    await rm(place, { force: true });
    await link(file, place).catch(() => copyFile(file, place));
  }

  forget = (sha256: string): Promise<void> => rm(path.join(this.folder, sha256), { force: true });

  /** Removes what was not used for a long time. */
  async tidy(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = path.join(this.folder, name);
      const found = await stat(file).catch(() => null);
      if (found && now - found.mtimeMs > UNUSED_MS) await rm(file, { force: true });
    }
  }

  async #isWhole(file: string, { bytes }: Wanted): Promise<boolean> {
    // It got its name after its hash was found right; the length tells a disk that was full since.
    return (await stat(file).catch(() => null))?.size === bytes;
  }

  async #download(file: string, wanted: Wanted, until: AbortSignal): Promise<void> {
    const part = `${file}.part`;
    let damaged = 0;
    await patiently(async () => {
      const held = existsSync(part) ? (await stat(part)).size : 0;
      if (held < wanted.bytes || wanted.bytes === 0) {
        await keepWhatComes(await wanted.open(held), part, until);
      }
      const found = await sha256OfFile(part);
      if (found === wanted.sha256) return;
      await rm(part, { force: true });
      // Once is the way here; twice is the file there.
      damaged++;
      if (damaged > 1) throw new Unable('A file arrived damaged, twice: it is damaged in the store.');
      throw new Error('A file arrived damaged.');
    }, until);
    await rename(part, file);
  }
}

/** Each piece is on the disk before the next is read: when the line is cut, what came counts. */
async function keepWhatComes(reply: Response, part: string, until: AbortSignal): Promise<void> {
  const file = await open(part, reply.status === 206 ? 'a' : 'w');
  try {
    for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
      until.throwIfAborted();
      await file.write(piece);
    }
  } finally {
    await file.close();
  }
}

export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
