import { type IncomingMessage, request } from 'node:http';

/** One request, as hostile as it gets. */
export interface Attack {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Where it came from, to find it again. */
  name: string;
}

export interface Reply {
  status: number;
  type: string;
  text: string;
}

const mostRead = 200_000;
const patienceMs = 60_000;

/** Sends what no browser would. Status 0: the server cut the connection or said nothing for a minute. */
export function send(url: string, { method, path, headers, body }: Attack): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    const failed = (text: string) => resolve({ status: 0, type: '', text });
    const asked = request({
      hostname,
      port,
      method,
      path,
      headers: { ...length, ...headers },
      timeout: patienceMs,
      agent: false,
    });
    asked.on('response', (reply) => read(reply, path).then(resolve, (error) => failed(String(error))));
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', (error) => failed(error.message));
    asked.end(body);
  });
}

async function read(reply: IncomingMessage, path: string): Promise<Reply> {
  const answer = { status: reply.statusCode ?? 0, type: reply.headers['content-type'] ?? '' };
  const chunks: Buffer[] = [];
  let size = 0;
  // A stream of events has no end.
  if (path.includes('/jobs/stream')) reply.destroy();
  else
    for await (const chunk of reply) {
      if (size < mostRead) chunks.push(chunk);
      size += chunk.length;
    }
  return { ...answer, text: Buffer.concat(chunks).toString('utf8') };
}
