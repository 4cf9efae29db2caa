import { notFound } from '@/lib/core/errors';
import type { Endpoint } from './endpoint';
import { framed } from './frame';
import { Refusal } from './problem';
import { createRouter, type Match } from './router';

/** Returns a handler that answers requests of any method and path from a list of endpoints. */
export function dispatch(endpoints: readonly Endpoint[]): (request: Request) => Promise<Response> {
  const route = createRouter(endpoints);
  return async (request) => {
    const match = route(new URL(request.url).pathname);
    const endpoint = match && endpointFor(request.method, match);
    if (match && endpoint) return endpoint.handle(request, match.params);
    // One label for all unknown addresses keeps strangers from creating metrics.
    return framed(request, '/api', async () => {
      if (!match) throw notFound('address');
      const headers = { allow: allowedMethods(match).join(', ') };
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers });
      throw new Refusal(405, `Use ${headers.allow}.`, { headers });
    });
  };
}

/** HEAD is answered like GET; the server omits the body. */
const endpointFor = (method: string, { methods }: Match) =>
  [...methods.values()].find((endpoint) => endpoint.method === (method === 'HEAD' ? 'GET' : method));

const allowedMethods = ({ methods }: Match) => [
  ...methods.keys(),
  ...(methods.has('GET') ? ['HEAD'] : []),
  'OPTIONS',
];
