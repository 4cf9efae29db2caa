import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import next from 'next';
import { database } from '@/db';
import { projectFolder, readConfig } from '@/lib/config';
import { beginDraining } from '@/lib/services/observability/current-work';
import { log } from '@/lib/services/observability/log';
import { stopTracing } from '@/lib/services/observability/tracing';
import { reportReady } from './lifeline';
import { quietRefusedActions, readActionIds, ServerActions } from './serve/actions';
import { pageRoutes, Requests } from './serve/requests';
import { answerUnavailable } from './serve/unavailable-page';

/** Open requests get this long to end: less than the starter waits, and than most that run containers do. */
const drainMs = process.send ? 5_000 : 20_000;

export async function runWeb({ dev, signal }: { dev: boolean; signal: AbortSignal }): Promise<void> {
  const { HOST: hostname, PORT: port, TESSERA_DRAIN_SECONDS: drainSeconds } = readConfig();
  const server = createServer();
  const app = next({ dev, dir: projectFolder, hostname, port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  const actions = new ServerActions(dev ? null : readActionIds());
  quietRefusedActions();
  const requests = new Requests(async (request, response) => {
    if (await answerUnavailable(request, response, database)) return;
    if (!actions.refuse(request, response)) await handle(request, response);
  }, pageRoutes());
  server.on('request', (request, response) => void requests.answer(request, response));
  // An upload of many gigabytes takes longer than the five minutes that Node allows by default.
  server.requestTimeout = 0;
  // Longer than proxies keep theirs (60 s mostly): who closes first while the other sends loses a request.
  server.keepAliveTimeout = 75_000;
  server.listen(port, hostname);
  await once(server, 'listening');
  log.info({ hostname, port }, 'web is listening');
  reportReady();

  if (!signal.aborted) await once(signal, 'abort');
  await drain(server, requests, drainSeconds);
  await app.close();
  await stopTracing();
}

/** Says that it is not ready, serves on while others learn of it, then lets open requests end and takes no more. */
async function drain(server: Server, requests: Requests, seconds: number): Promise<void> {
  beginDraining();
  log.info({ open: requests.count, seconds }, 'web is about to stop');
  // Behind the starter there is no load balancer, and somebody waits for Ctrl-C.
  if (!process.send) await wait(1000 * seconds);
  requests.end();
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => {
    log.warn({ open: requests.count }, 'requests did not end in time and are cut off');
    server.closeAllConnections();
  }, drainMs);
  await closed;
  clearTimeout(late);
}
