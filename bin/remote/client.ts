import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/errors';
import { UsageError } from '../command';

export const remoteOptions = {
  url: {
    type: 'string',
    value: 'address',
    says: 'An instance elsewhere, instead of the one of this machine.',
  },
  key: {
    type: 'string',
    value: 'key',
    says: 'An API key for it; better in TESSERA_KEY, where nobody sees it.',
  },
} as const;

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  json?: unknown;
  body?: ReadableStream;
  headers?: Record<string, string>;
}

/** An instance elsewhere, spoken to by its HTTP API. */
export interface Remote {
  ask<T>(path: string, request?: Request): Promise<T>;
}

export function readRemote(values: { url?: string; key?: string }): Remote | undefined {
  if (!values.url) return undefined;
  const key = values.key ?? readConfig().TESSERA_KEY;
  if (!key) throw new UsageError('An instance elsewhere needs an API key: --key, or TESSERA_KEY.');
  const base = values.url.replace(/\/+$/, '');
  return { ask: (path, request = {}) => ask(`${base}/api/v1${path}`, key, request) };
}

async function ask<T>(url: string, key: string, request: Request): Promise<T> {
  const { method = 'GET', json, body, headers } = request;
  const response = await fetch(url, {
    method,
    headers: {
      'x-api-key': key,
      accept: 'application/json',
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
    // Required by fetch for a body that is a stream.
    ...(body ? { duplex: 'half' } : {}),
  }).catch((error: Error & { cause?: Error }) => {
    throw new TesseraError(
      'unavailable',
      `${url} does not answer (${error.cause?.message ?? error.message}).`,
    );
  });
  const text = await response.text();
  if (!response.ok) throw refused(url, response.status, text);
  return (text ? JSON.parse(text) : undefined) as T;
}

/** The API answers with problem+json, whose detail is written for people. */
function refused(url: string, status: number, text: string): TesseraError {
  try {
    const { detail, title } = JSON.parse(text) as { detail?: string; title?: string };
    return new TesseraError('unavailable', `${detail ?? title ?? text} (${status} from ${url})`);
  } catch {
    return new TesseraError('unavailable', `${url} answers ${status}; is this a Tessera?`);
  }
}
