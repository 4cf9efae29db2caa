import { newId } from '@/db';
import { cleanRequestId, requestIdHeader } from '@/lib/services/access/request-headers';
import { currentWork, during } from '@/lib/services/observability/current-work';
import { observeRequest } from '@/lib/services/observability/metric-values';
import { endBody } from './input';
import { problemFrom } from './problem';

/** An answer of the API is data: a browser that is led to it must neither guess, run, keep nor frame it. */
const replyHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Request id, safe headers, problem replies and metrics: what every answer of the API has. */
export async function framed(
  request: Request,
  route: string,
  handle: (requestId: string) => Promise<Response>,
): Promise<Response> {
  const started = performance.now();
  const requestId = cleanRequestId(request.headers.get(requestIdHeader)) ?? newId();
  // The web server has opened it under the same id; without one there is none yet.
  const work = currentWork() ?? { requestId };
  work.route = route;
  const reply = await during(work, () => handle(requestId).catch((error) => problemFrom(error, requestId)));
  endBody(request);
  // Creates a new response, because the headers of fetched and redirect responses are immutable.
  const headers = new Headers(reply.headers);
  for (const [name, value] of Object.entries(replyHeaders)) if (!headers.has(name)) headers.set(name, value);
  headers.set(requestIdHeader, requestId);
  observeRequest(request.method, route, reply.status, (performance.now() - started) / 1000);
  return new Response(reply.body, { status: reply.status, headers });
}
