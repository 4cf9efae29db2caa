import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';

export interface S3Settings extends S3Keys {
  /** Address of the service, without the bucket. */
  endpoint: string;
  bucket: string;
  /** Total timeout of a read. Writes get three times as long. */
  patienceMs?: number;
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty for the bucket itself. */
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** Statuses that the caller handles. */
  expects?: readonly number[];
}

const TRIES = 4;
const FIRST_WAIT_MS = 200;
/** Timeout of a read. Three times this is enough to upload a part of 16 MB over a slow connection. */
export const READ_TIMEOUT_MS = 20_000;
/**
 * Maximum number of concurrent requests of this process. A healthy store answers hundreds per second with a few in
 * flight. At this number the store is stalled, and another request would only wait too.
 */
export const MAX_IN_FLIGHT = 128;

/** Tolerated clock difference: well below the store's limit and above the usual drift. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;

/** HTTP client of one bucket. All requests can be repeated, because a name identifies its content. */
export class S3Client {
  /** Offset of the store's clock. Stores reject signatures that are 15 minutes off. */
  private aheadMs = 0;
  private waiting = 0;

  constructor(private readonly settings: S3Settings) {}

  async send(request: S3Request): Promise<Response> {
    if (this.waiting >= MAX_IN_FLIGHT) throw unavailable('is overloaded. Try again later');
    this.waiting += 1;
    try {
      return await this.sendUntil(request, performance.now() + this.patienceFor(request));
    } finally {
      this.waiting -= 1;
    }
  }

  private patienceFor({ body }: S3Request): number {
    return (this.settings.patienceMs ?? READ_TIMEOUT_MS) * (body ? 3 : 1);
  }

  private async sendUntil(request: S3Request, until: number): Promise<Response> {
    // Half of the timeout, because only this connection may be stalled.
    const perTry = this.patienceFor(request) / 2;
    for (let tries = 1; ; tries++) {
      const ms = Math.min(perTry, until - performance.now());
      const reply = await this.sendOnce(request, ms).catch((error: Error) => error);
      if (reply instanceof Response && (reply.ok || request.expects?.includes(reply.status))) return reply;
      const pause = FIRST_WAIT_MS * 2 ** (tries - 1);
      const isLast = tries === TRIES || performance.now() + pause >= until;
      const fault = await this.faultOf(reply);
      if (isLast || !fault.mayPass) throw fault.error;
      await sleep(pause);
    }
  }

  async text(request: S3Request): Promise<string> {
    return (await this.send(request)).text();
  }

  /** Sends a request and waits for the response headers. */
  private async sendOnce(
    { method, key = '', query = {}, headers = {}, body }: S3Request,
    withinMs: number,
  ): Promise<Response> {
    const path = [this.settings.bucket, ...key.split('/')].map(escaped).join('/');
    const url = new URL(`${this.settings.endpoint.replace(/\/+$/, '')}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const bodyHash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const at = new Date(Date.now() + this.aheadMs);
    const { host: _, ...signed } = signRequest({ method, url, headers, bodyHash, at }, this.settings);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error('no answer in time')), withinMs);
    try {
      return await fetch(url, { method, headers: signed, body, signal: late.signal, redirect: 'error' });
    } finally {
      clearTimeout(timer);
    }
  }

  private async faultOf(reply: Response | Error): Promise<{ error: Error; mayPass: boolean }> {
    if (reply instanceof Error) {
      const { cause } = reply as Error & { cause?: Error };
      return { error: unavailable(`does not answer (${cause?.message ?? reply.message})`), mayPass: true };
    }
    const text = await reply.text().catch(() => '');
    const code = /<Code>([^<]+)<\/Code>/.exec(text)?.[1] ?? String(reply.status);
    // Responses to HEAD contain no error code, so compare clocks after any rejection.
    const ahead = Date.parse(reply.headers.get('date') ?? '') - Date.now();
    if (reply.status === 403 && Math.abs(ahead - this.aheadMs) > MAX_CLOCK_SKEW_MS) {
      this.aheadMs = ahead;
      return { error: unavailable('has another time than this machine: set the clock'), mayPass: true };
    }
    if (reply.status === 403) return { error: unavailable(`refuses the key (${code})`), mayPass: false };
    if (reply.status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull')
      return { error: unavailable('is full: free some space, then try again'), mayPass: false };
    return { error: unavailable(`answers ${code}`), mayPass: reply.status >= 500 || reply.status === 429 };
  }
}

const unavailable = (message: string) => new TesseraError('unavailable', `The file store ${message}.`);

export interface S3Keys {
  region: string;
  keyId: string;
  secret: string;
}

interface Signable {
  method: string;
  url: URL;
  headers: Record<string, string>;
  /** SHA-256 of the body, in hexadecimal digits. */
  bodyHash: string;
  at: Date;
}

/** Signs a request with AWS Signature Version 4 and returns its headers. */
export function signRequest(request: Signable, { region, keyId, secret }: S3Keys): Record<string, string> {
  const stamp = request.at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const sent: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': stamp,
  };
  const names = Object.keys(sent).sort();
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    ...names.map((name) => `${name}:${sent[name]?.trim()}`),
    '',
    names.join(';'),
    request.bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  const signature = hmac(key, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return { ...sent, authorization };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Percent-encodes by RFC 3986: everything except letters, digits and `-._~`. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');
}

/**
 * Yields the response body and throws if the store sends nothing for `timeout`. Only waiting for the store counts, not
 * the time the reader takes.
 */
export async function* failWhenStalled(
  body: ReadableStream<Uint8Array>,
  patienceMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await within(patienceMs, reader.read());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stalled store would not answer this either.
    reader.cancel().catch(() => {});
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable('stopped responding in the middle of a file')), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
