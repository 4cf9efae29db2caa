import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import type { RequestKind, Traffic } from './traffic';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A refusal that repeating does not mend, with what the server says about it. */
export class RequestRefused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Record<string, unknown>,
  ) {
    super(message);
  }
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT';
  json?: unknown;
  /** A file as the body, in place of JSON. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** Statuses that the caller reckons with: they are not failures. */
  expects?: readonly number[];
}

/** How long somebody puts up with a server that does not answer. */
export interface RetryPolicy {
  tries: number;
  /** Milliseconds; the wait before a try is doubled each time up to this. */
  maxWaitMs: number;
}

const defaultRetryPolicy: RetryPolicy = { tries: 8, maxWaitMs: 10_000 };
/** Milliseconds before the second try. */
const FIRST_WAIT = 250;

/** One person's browser: its cookies, its address, and patience with a server that is busy. */
export class Client {
  private readonly headers: Record<string, string>;

  constructor(
    private readonly url: string,
    private readonly traffic: Traffic,
    private readonly fetch: Fetch,
    headers: Record<string, string> = {},
    private readonly retryPolicy: RetryPolicy = defaultRetryPolicy,
  ) {
    this.headers = { accept: 'application/json', origin: new URL(url).origin, ...headers };
  }

  async signIn(email: string, password: string): Promise<void> {
    const reply = await this.send('sign in', '/api/auth/sign-in/email', {
      method: 'POST',
      json: { email, password },
    });
    const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
    this.headers.cookie = cookies.join('; ');
    await reply.body?.cancel();
  }

  async request<T>(errand: RequestKind, path: string, asking: RequestOptions = {}): Promise<T> {
    const reply = await this.send(errand, `/api/v1${path}`, asking);
    const text = await reply.text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** The sha256 of a file: the same image under any address. */
  async hashOf(errand: RequestKind, path: string): Promise<string> {
    const reply = await this.send(errand, path, {});
    return createHash('sha256')
      .update(new Uint8Array(await reply.arrayBuffer()))
      .digest('hex');
  }

  private async send(errand: RequestKind, path: string, asking: RequestOptions): Promise<Response> {
    for (let tries = 1; ; tries++) {
      const reply = await this.tryOnce(errand, path, asking);
      if (reply instanceof Response && reply.ok) return reply;
      const wait = waitBefore(tries, reply, this.retryPolicy.maxWaitMs);
      if (wait === null || tries === this.retryPolicy.tries) throw await this.refusal(errand, reply, asking);
      const { retries } = this.traffic;
      if (!(reply instanceof Response)) retries.network += 1;
      else if (reply.status === 429) retries.tooMany += 1;
      else retries.server += 1;
      await sleep(wait);
    }
  }

  private async tryOnce(errand: RequestKind, path: string, { method = 'GET', json, bytes }: RequestOptions) {
    this.traffic.requests += 1;
    const began = performance.now();
    try {
      const reply = await this.fetch(`${this.url}${path}`, {
        method,
        headers: { ...this.headers, ...(json === undefined ? {} : { 'content-type': 'application/json' }) },
        body: bytes ?? (json === undefined ? undefined : JSON.stringify(json)),
      });
      const body = await reply.arrayBuffer();
      // A refusal by the brake says nothing about how long the work takes.
      if (reply.status !== 429) this.traffic.time(errand, performance.now() - began);
      return new Response(body.byteLength > 0 ? body : null, {
        status: reply.status,
        headers: reply.headers,
      });
    } catch (error) {
      return error as Error;
    }
  }

  private async refusal(
    errand: RequestKind,
    reply: Response | Error,
    { expects }: RequestOptions,
  ): Promise<Error> {
    const status = reply instanceof Response ? reply.status : 0;
    const said = reply instanceof Response ? await readProblem(reply) : { detail: reasonOf(reply), more: {} };
    if (!expects?.includes(status)) this.traffic.failures.push({ errand, status, detail: said.detail });
    if (status === 0) return new TesseraError('unavailable', `${this.url} does not answer (${said.detail}).`);
    return new RequestRefused(status, said.detail, said.more);
  }
}

/** Milliseconds to wait before the next try; null when another try would end the same way. */
function waitBefore(tries: number, reply: Response | Error, longestWait: number): number | null {
  const backoff = Math.min(longestWait, FIRST_WAIT * 2 ** (tries - 1)) * (0.5 + Math.random());
  if (!(reply instanceof Response)) return backoff;
  if (reply.status !== 429 && reply.status < 500) return null;
  const asked = 1000 * Number(reply.headers.get('retry-after') ?? 0);
  return Math.max(backoff, Math.min(60_000, asked || 0));
}

async function readProblem(reply: Response): Promise<{ detail: string; more: Record<string, unknown> }> {
  const text = await reply.text();
  try {
    const { detail = text, more = {} } = JSON.parse(text) as {
      detail?: string;
      more?: Record<string, unknown>;
    };
    return { detail, more };
  } catch {
    return { detail: text.slice(0, 200), more: {} };
  }
}

const reasonOf = (error: Error & { cause?: unknown }): string =>
  error.cause instanceof Error ? error.cause.message : error.message;
