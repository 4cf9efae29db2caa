import type { Endpoint, RouteContext } from './endpoint';

type Handlers<E extends Endpoint> = Record<
  E['method'],
  (request: Request, context: RouteContext) => Promise<Response>
>;

/** What a route file exports: `export const { GET, POST } = route(listProjects, createProject);` */
export function route<const E extends readonly Endpoint[]>(...endpoints: E): Handlers<E[number]> {
  return Object.fromEntries(endpoints.map((entry) => [entry.method, entry.handle])) as Handlers<E[number]>;
}
