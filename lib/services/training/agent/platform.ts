import { setTimeout as sleep } from 'node:timers/promises';
import type { Capabilities } from '../launch/launcher';
import type { TakenRun } from '../remote/take-run';
import type { RunEvent } from '../runs/follow-events';
import type { RunResult } from '../runs/run-result';

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
export class Unable extends Error {}

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
