import { Client } from '@/lib/demo/simulation/http/client';
import { Traffic } from '@/lib/demo/simulation/http/traffic';

/** A person who waits for a server that is restarted, also on a machine that is busy with other work. */
const patience = { tries: 400, maxWaitMs: 2_500 };

/** One signed-in person. `ask` and `put` are repeated until they are answered; `send` is one request and no more. */
export class Browser {
  private cookie = '';
  private readonly client: Client;

  constructor(private readonly url: string) {
    const noting: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
      if (cookies.length > 0) this.cookie = cookies.join('; ');
      return reply;
    };
    this.client = new Client(url, new Traffic(), noting as never, {}, patience);
  }

  signIn(email: string, password: string): Promise<void> {
    return this.client.signIn(email, password);
  }

  ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown): Promise<T> {
    return this.client.request<T>('curator', path, { method, json });
  }

  put<T>(path: string, bytes: Uint8Array): Promise<T> {
    return this.client.request<T>('curator', path, { method: 'PUT', bytes: new Uint8Array(bytes) });
  }

  send(method: string, path: string, body?: BodyInit | AsyncIterable<Uint8Array>): Promise<Response> {
    return fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { accept: 'application/json', origin: new URL(this.url).origin, cookie: this.cookie },
      body: body as BodyInit,
      // Node needs it for a body that is a stream.
      ...{ duplex: 'half' },
    });
  }
}
