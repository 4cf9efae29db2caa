import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { projectFolder, readConfig } from '@/lib/config';
import { isFromOwnPage } from '@/lib/config/network';
import { type ActionCall, currentWork } from '@/lib/services/observability/current-work';
import { log } from '@/lib/services/observability/log';

/** What Next itself accepts for the body of an action. */
const MAX_BODY_BYTES = 1024 * 1024;

const safeHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/**
 * Checks the calls of server actions around Next. Next accepts calls without an Origin header, and answers a body that
 * it cannot decode with 500 and a stack trace in the log. Here a refused call is a 4xx and one line.
 */
export class ServerActions {
  /** `known`: the ids of all actions; null in development, where they come and go. */
  constructor(private readonly known: ReadonlySet<string> | null) {}

  /** Returns true when the call was refused. Otherwise watches the answer that Next will give. */
  refuse(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isActionCall(request)) return false;
    const id = request.headers['next-action'];
    const { origin = null } = request.headers;
    const site = request.headers['sec-fetch-site'] ?? null;
    // Only browsers call actions, and browsers send the origin.
    if (isFromOwnPage({ origin, site: typeof site === 'string' ? site : null }, readConfig()) !== true)
      return refuse(request, response, 403, 'The request comes from another site.');
    if (id !== undefined && this.known && !this.known.has(String(id))) {
      // A page of an earlier release is open in the browser: this header makes it load the new one.
      response.setHeader('x-nextjs-action-not-found', '1');
      return refuse(request, response, 404, 'There is no such action.');
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES)
      return refuse(request, response, 413, 'The request is too large.');
    const work = currentWork();
    if (work) {
      work.action = { hasBegun: false };
      replaceFault(request, response, work.action);
    }
    return false;
  }
}

/** The ids of all server actions of the build. */
export function readActionIds(): ReadonlySet<string> | null {
  const file = path.join(projectFolder, '.next', 'server', 'server-reference-manifest.json');
  if (!existsSync(file)) return null;
  const { node = {}, edge = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return new Set([...Object.keys(node), ...Object.keys(edge)]);
}

/** A form without script is sent without the header, as a body of parts. */
function isActionCall({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method !== 'POST' || url.startsWith('/api/')) return false;
  return (
    headers['next-action'] !== undefined ||
    /^(multipart\/form-data|application\/x-www-form-urlencoded)/i.test(headers['content-type'] ?? '')
  );
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): true {
  logRefusal(request, status, text);
  // The rest of the body is not read.
  response.shouldKeepAlive = false;
  response.writeHead(status, { ...safeHeaders, connection: 'close' });
  response.end(text);
  return true;
}

function logRefusal({ url, headers }: IncomingMessage, status: number, reason: string): void {
  const id = headers['next-action'];
  log.warn(
    { status, path: url?.split('?')[0]?.slice(0, 200), action: String(id ?? '').slice(0, 64), reason },
    'a server action was refused',
  );
}

const isRefused = (call: ActionCall) => !call.hasBegun || call.malformed !== undefined;

/** Puts a 400 in the place of a 500 that the caller caused. A fault of our own code stays one. */
function replaceFault(request: IncomingMessage, response: ServerResponse, call: ActionCall): void {
  const { writeHead, write, end } = response;
  const text = Buffer.from('The request is not valid. Reload the page and try again.');
  let isReplaced = false;
  const replace = (status = response.statusCode): boolean => {
    if (isReplaced || response.headersSent || status < 500 || !isRefused(call)) return isReplaced;
    isReplaced = true;
    logRefusal(request, 400, call.malformed ?? 'the body could not be decoded');
    for (const name of ['content-encoding', 'transfer-encoding', 'etag', 'vary']) response.removeHeader(name);
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value);
    response.setHeader('content-length', text.length);
    response.statusCode = 400;
    writeHead.call(response, 400);
    end.call(response, text, 'utf8');
    return true;
  };
  // Each has several signatures; the arguments are passed on as they are.
  const pass = <T>(method: unknown, args: unknown[]) =>
    (method as (...all: unknown[]) => T).apply(response, args);
  Object.assign(response, {
    writeHead: (status: number, ...rest: unknown[]) =>
      replace(status) ? response : pass<ServerResponse>(writeHead, [status, ...rest]),
    write: (...args: unknown[]) => replace() || pass<boolean>(write, args),
    end: (...args: unknown[]) => (replace() ? response : pass<ServerResponse>(end, args)),
  });
}

/** Keeps Next from logging stack traces of refused calls, which have a log line already. */
export function quietRefusedActions(): void {
  for (const name of ['error', 'warn'] as const) {
    const write = console[name].bind(console);
    console[name] = (...args: unknown[]) => {
      const call = currentWork()?.action;
      if (!call || !isRefused(call)) write(...args);
    };
  }
}
