import { once } from 'node:events';
import { createServer } from 'node:http';
import { database } from '@/db';
import { readConfig } from '@/lib/config';
import { log } from '@/lib/services/observability/log';
import { type Caller, canReadMetrics, metricsText } from '@/lib/services/observability/metrics';
import { notReady } from '@/lib/services/observability/readiness';

interface Answer {
  status: number;
  type: string;
  body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

/** The paths that a web server has too, so that both are watched in the same way. */
const answers: Record<string, (caller: Caller) => Promise<Answer>> = {
  '/api/health': async () => json(200, { status: 'alive' }),
  '/api/ready': async () => {
    const reasons = await notReady(database());
    const isReady = Object.keys(reasons).length === 0;
    return isReady ? json(200, { status: 'ready' }) : json(503, { status: 'not ready', reasons });
  },
  '/api/metrics': async (caller) =>
    canReadMetrics(caller)
      ? { status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', body: await metricsText(database()) }
      : json(404, { status: 'not found' }),
};

/** Serves health and metrics of a worker, if a port is configured. A worker needs no port otherwise. */
export async function serveStatus(): Promise<AsyncDisposable | undefined> {
  const { HOST, TESSERA_WORKER_PORT: port } = readConfig();
  if (port === undefined) return undefined;
  const server = createServer(async ({ url = '/', headers }, response) => {
    const { host, authorization } = headers;
    const find = answers[url.split('?')[0] ?? ''] ?? (async () => json(404, { status: 'not found' }));
    const { status, type, body } = await find({ host, authorization }).catch((error) => {
      log.warn({ err: error }, 'the state of the worker could not be reported');
      return json(503, { status: 'not ready' });
    });
    response.writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    response.end(body);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  log.info({ host: HOST, port }, 'the worker serves its state');
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
