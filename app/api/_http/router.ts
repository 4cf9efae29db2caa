import { notFound } from '@/lib/core/errors';
import type { Endpoint, Method } from './endpoint';
import { framed } from './frame';
import { Refusal } from './problem';

interface Match {
  /** The endpoints at this path, by method. */
  methods: ReadonlyMap<Method, Endpoint>;
  params: Readonly<Record<string, string>>;
}

interface Node {
  literals: Map<string, Node>;
  parameter: { name: string; node: Node } | null;
  methods: Map<Method, Endpoint>;
}

const emptyNode = (): Node => ({ literals: new Map(), parameter: null, methods: new Map() });

/**
 * Returns a function that finds the endpoints of a path. Literal segments win over parameters:
 * `/images/near-duplicates` is never the image with that id. Throws if two endpoints have the same method and path.
 */
export function createRouter(endpoints: readonly Endpoint[]): (pathname: string) => Match | null {
  const root = emptyNode();
  for (const endpoint of endpoints) {
    let node = root;
    for (const segment of segmentsOf(endpoint.path)) node = childOf(node, segment, endpoint.path);
    if (node.methods.has(endpoint.method)) {
      throw new Error(`${endpoint.method} ${endpoint.path} is registered twice`);
    }
    node.methods.set(endpoint.method, endpoint);
  }
  return (pathname) => {
    const segments = decodeSegments(pathname);
    return segments ? find(root, segments, 0) : null;
  };
}

function childOf(node: Node, segment: string, path: string): Node {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name === undefined) {
    const child = node.literals.get(segment) ?? emptyNode();
    node.literals.set(segment, child);
    return child;
  }
  node.parameter ??= { name, node: emptyNode() };
  if (node.parameter.name !== name) {
    throw new Error(`${path}: {${name}} is called {${node.parameter.name}} in another path`);
  }
  return node.parameter.node;
}

function find(node: Node, segments: readonly string[], depth: number): Match | null {
  const segment = segments[depth];
  if (segment === undefined) return node.methods.size > 0 ? { methods: node.methods, params: {} } : null;
  const literal = node.literals.get(segment);
  const match = literal ? find(literal, segments, depth + 1) : null;
  if (match || !node.parameter) return match;
  const below = find(node.parameter.node, segments, depth + 1);
  return below && { ...below, params: { [node.parameter.name]: segment, ...below.params } };
}

const segmentsOf = (path: string) => path.split('/').slice(1);

/** Returns null if a segment is not valid percent-encoding. */
function decodeSegments(pathname: string): string[] | null {
  try {
    return segmentsOf(pathname).map(decodeURIComponent);
  } catch {
    return null;
  }
}

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
