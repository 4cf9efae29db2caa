import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { newId } from '@/db';
import { projectFolder } from '@/lib/config';
import {
  cleanRequestId,
  isFromNearby,
  requestIdHeader,
  stampAddress,
} from '@/lib/services/access/request-headers';
import type { Work } from '@/lib/services/observability/current-work';
import { log } from '@/lib/services/observability/log';
import { observeRequest } from '@/lib/services/observability/metric-values';
import { readTraceparent } from '@/lib/services/observability/span-exporter';
import { traced } from '@/lib/services/observability/tracing';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Worth a line in the log of its own, in milliseconds. */
const slowMs = 3_000;

/** The requests that this process is answering; each gets an id, is timed, logged and, if that is on, traced. */
export class Requests {
  private readonly open = new Set<ServerResponse>();
  private isEnding = false;

  constructor(
    private readonly handle: Handle,
    private readonly routeOf: (url: string) => string,
  ) {}

  get count(): number {
    return this.open.size;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    stampAddress(request);
    const caller = isFromNearby(request) ? readTraceparent(request.headers.traceparent) : undefined;
    const requestId = idOf(request) ?? caller?.traceId ?? newId();
    request.headers[requestIdHeader] = requestId;
    const work: Work = { requestId };
    const { method = 'GET', url = '/' } = request;
    const began = performance.now();
    this.open.add(response);
    if (this.isEnding) response.shouldKeepAlive = false;
    const closed = new Promise<void>((done) => response.once('close', done));
    const span = { name: method, kind: 'server', parentSpanId: caller?.spanId } as const;
    const run = async () => {
      await this.handle(request, response);
      await closed;
    };
    const facts = () => ({
      attributes: {
        'http.request.method': method,
        'http.route': work.route,
        'http.response.status_code': response.statusCode,
      },
      isError: response.statusCode >= 500,
    });
    await traced(work, span, run, facts).catch((error) => {
      log.error({ err: error, requestId }, 'a request could not be answered');
      response.destroy();
    });
    this.open.delete(response);
    const ms = Math.round(performance.now() - began);
    // The API has counted its own, at the moment of the answer: a stream may stay open for minutes.
    if (!work.route) observeRequest(method, this.routeOf(url), response.statusCode, ms / 1000);
    const line = {
      requestId,
      method,
      route: work.route ?? this.routeOf(url),
      status: response.statusCode,
      ms,
    };
    const isSlow = ms > slowMs && !String(response.getHeader('content-type')).startsWith('text/event-stream');
    log[isSlow ? 'info' : 'debug'](line, isSlow ? 'a slow request' : 'a request');
  }

  /** From now on a connection ends with the answer that is on its way. */
  end(): void {
    this.isEnding = true;
    for (const response of this.open) if (!response.headersSent) response.shouldKeepAlive = false;
  }
}

function idOf(request: IncomingMessage): string | null {
  const given = request.headers[requestIdHeader];
  return cleanRequestId(typeof given === 'string' ? given : null);
}

interface Route {
  page: string;
  regex: string;
}

/** Names the pattern of a path, `/projects/[project]/images`, as Next has listed them when it built. */
export function pageRoutes(): (url: string) => string {
  const file = path.join(projectFolder, '.next', 'routes-manifest.json');
  const { staticRoutes, dynamicRoutes }: { staticRoutes: Route[]; dynamicRoutes: Route[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { staticRoutes: [], dynamicRoutes: [] };
  const routes = [...staticRoutes, ...dynamicRoutes].map(({ page, regex }) => ({
    page,
    pattern: new RegExp(regex),
  }));
  return (url) => {
    const asked = url.split('?')[0] ?? '';
    if (asked.startsWith('/_next/')) return '/_next';
    // A path that is no page has no series of its own, or anybody could make as many as they like.
    return routes.find(({ pattern }) => pattern.test(asked))?.page ?? 'none';
  };
}
