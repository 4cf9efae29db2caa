import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { dispatch } from '@/app/api/_http/router';
import { endpoints } from '@/app/api/v1/endpoints';

export interface ApiServer {
  url: string;
  /** While it is true, every connection is cut: the network is gone. */
  isCut: boolean;
  close(): Promise<void>;
}

const api = dispatch(endpoints);

/** Serves the API on a port, for programs outside this process. */
export async function serveApi(): Promise<ApiServer> {
  const state = { isCut: false };
  const server = createServer(async (message, reply) => {
    if (state.isCut) return void message.socket.destroy();
    const url = new URL(message.url ?? '/', 'http://localhost');
    const answer = await api(requestOf(message, url));
    reply.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (!answer.body) return void reply.end();
    Readable.fromWeb(answer.body as never)
      .on('error', () => reply.destroy())
      .pipe(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    get isCut() {
      return state.isCut;
    },
    set isCut(cut) {
      state.isCut = cut;
      if (cut) server.closeAllConnections();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function requestOf(message: IncomingMessage, url: URL): Request {
  const hasBody = message.method !== 'GET' && message.method !== 'DELETE';
  return new Request(url, {
    method: message.method,
    headers: message.headers as Record<string, string>,
    ...(hasBody ? { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' } : {}),
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
