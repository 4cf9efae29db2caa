import { once } from 'node:events';
import { createServer } from 'node:http';
import next from 'next';
import { stampAddress } from '@/lib/auth/client-address';
import { projectFolder, readConfig } from '@/lib/config';
import { log } from '@/lib/log';
import { tellReady } from './lifeline';

/** Open requests get this long to end; streams of events would never end by themselves. */
const drainMs = 3_000;

export async function runWeb({ dev, signal }: { dev: boolean; signal: AbortSignal }): Promise<void> {
  const { HOST: hostname, PORT: port } = readConfig();
  const server = createServer();
  const app = next({ dev, dir: projectFolder, hostname, port, httpServer: server });
  await app.prepare();
  const handle = app.getRequestHandler();
  server.on('request', (request, response) => {
    stampAddress(request);
    void handle(request, response);
  });
  // An upload of many gigabytes takes longer than the five minutes that Node allows by default.
  server.requestTimeout = 0;
  server.listen(port, hostname);
  await once(server, 'listening');
  log.info({ hostname, port }, 'web is listening');
  tellReady();

  if (!signal.aborted) await once(signal, 'abort');
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(late);
  await app.close();
}
