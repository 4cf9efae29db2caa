import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { UsageError } from './command';

export const remoteOptions = {
  url: {
    type: 'string',
    value: 'address',
    description: 'Use this remote instance instead of the one on this machine.',
  },
  key: {
    type: 'string',
    value: 'key',
    description: 'API key for the remote instance. Prefer TESSERA_KEY, which other users cannot see.',
  },
} as const;

interface Request {
  method?: 'GET' | 'POST' | 'PUT';
  query?: Record<string, string | undefined>;
  json?: unknown;
  body?: ReadableStream;
  headers?: Record<string, string>;
}

/** The most that the API gives in one page. */
const largestPage = 200;

/** An instance elsewhere, spoken to by its HTTP API. */
export class Remote {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async ask<T>(path: string, request: Request = {}): Promise<T> {
    const response = await this.#send(path, request);
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  }

  /** The body as it comes: for files. */
  async open(path: string): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#send(path, { headers: { accept: '*/*' } });
    if (!body) throw new TesseraError('unavailable', `${this.url} sent nothing.`);
    return body;
  }

  async #send(
    path: string,
    { method = 'GET', query = {}, json, body, headers }: Request = {},
  ): Promise<Response> {
    const url = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const response = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        accept: 'application/json',
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
      // Required by fetch for a body that is a stream.
      ...(body ? { duplex: 'half' } : {}),
    }).catch((error: Error & { cause?: Error }) => {
      const why = error.cause?.message || error.message;
      throw new TesseraError('unavailable', `${this.url} does not answer (${why}).`);
    });
    if (!response.ok) throw refused(url, response.status, await response.text());
    return response;
  }

  /** As many rows of a list as wanted, page by page. */
  async list<T>(path: string, wanted: number, query: Request['query'] = {}): Promise<T[]> {
    const rows: T[] = [];
    let cursor: string | undefined;
    do {
      const limit = String(Math.min(wanted - rows.length, largestPage));
      const page = await this.ask<{ items: T[]; next: string | null }>(path, {
        query: { ...query, limit, cursor },
      });
      rows.push(...page.items);
      cursor = page.next ?? undefined;
    } while (cursor && rows.length < wanted);
    return rows;
  }
}

export function readRemote(values: { url?: string; key?: string }): Remote | undefined {
  if (!values.url) return undefined;
  const key = values.key ?? readConfig().TESSERA_KEY;
  if (!key) throw new UsageError('A remote instance requires an API key. Set TESSERA_KEY or pass --key.');
  if (!URL.canParse(values.url))
    throw new UsageError(`--url takes an address like https://host, not ${values.url}.`);
  return new Remote(values.url.replace(/\/+$/, ''), key);
}

/** The API answers with problem+json, whose detail is written for people. */
function refused(url: URL, status: number, text: string): TesseraError {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string };
    return new TesseraError('unavailable', `${detail ?? title ?? text} (${status} from ${url.origin})`);
  } catch {
    return new TesseraError('unavailable', `${url.origin} answers ${status}; is this a Tessera?`);
  }
}

const lookEveryMs = 500;

interface RemoteJob {
  state: string;
  done: number;
  total: number | null;
  text: string;
  error: string | null;
  result: Record<string, unknown> | null;
}

/** Until a job elsewhere is done; its failure is ours. */
export async function waitForJob(
  remote: Remote,
  jobId: string,
  onProgress: (text: string) => void,
): Promise<RemoteJob> {
  for (;;) {
    const { job } = await remote.ask<{ job: RemoteJob }>(`/jobs/${jobId}`, { query: { limit: '1' } });
    if (job.state === 'done') return job;
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new TesseraError('unavailable', `The job ${job.state}. ${job.error ?? ''}`.trim());
    onProgress(job.total ? `${job.text} ${job.done}/${job.total}` : job.text);
    await sleep(lookEveryMs);
  }
}
