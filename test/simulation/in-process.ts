import type { Endpoint } from '@/app/api/_http/endpoint';
import { POST as signIn } from '@/app/api/auth/[...all]/route';
import { endpoints } from '@/app/api/v1/endpoints';
import type { Fetch } from '@/lib/simulation/http/client';

const patternOf = ({ path }: Endpoint) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Fixed words win over names: `/images/near-duplicates` is not the image of that id. */
const routes = [...endpoints]
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint) }));

/** The API itself, without a socket in between: each request goes to the endpoint that Next would give it to. */
export const inProcess: Fetch = async (url, init) => {
  const { pathname } = new URL(url);
  const request = new Request(url, init);
  if (pathname.startsWith('/api/auth/')) return signIn(request);
  const route = routes.find(
    ({ endpoint, pattern }) => endpoint.method === init.method && pattern.test(pathname),
  );
  if (!route) return new Response(null, { status: 404 });
  const params = { ...route.pattern.exec(pathname)?.groups };
  return route.endpoint.handle(request, { params: Promise.resolve(params) });
};
