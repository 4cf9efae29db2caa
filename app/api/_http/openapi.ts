import { z } from 'zod';
import { policy, scopes } from '@/lib/services/access';
import { type Endpoint, isSchema, type Raw } from './endpoint';

const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  more: z.record(z.string(), z.unknown()).optional(),
});

type Json = Record<string, unknown>;

/** OpenAPI 3.1, whose schemas are JSON Schema 2020-12: what zod writes. */
export function openApiDocument(endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Json> = {};
  for (const entry of endpoints) {
    paths[entry.path] = { ...paths[entry.path], [entry.method.toLowerCase()]: operation(entry) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tessera',
      version: '1',
      description: 'Errors are problem+json (RFC 9457). Missing and forbidden both answer 404.',
    },
    paths,
    components: {
      schemas: { Problem: jsonSchema(Problem, 'output') },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, `tess_…`.' },
        session: { type: 'apiKey', in: 'cookie', name: 'tessera.session_token' },
      },
    },
  };
}

function operation(entry: Endpoint): Json {
  return {
    operationId: operationId(entry),
    summary: entry.summary,
    tags: [entry.path.split('/')[3]],
    ...needs(entry),
    parameters: [...pathParameters(entry.path), ...queryParameters(entry.query)],
    ...(entry.body && { requestBody: { required: true, content: content(entry.body, 'input') } }),
    responses: {
      [entry.status]: {
        description: 'Done',
        ...(entry.output && { content: content(entry.output, 'output') }),
      },
      default: {
        description: 'Refused',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

const operationId = ({ method, path }: Endpoint) =>
  [method.toLowerCase(), ...path.replace('/api/v1/', '').split(/[^A-Za-z0-9]+/)].filter(Boolean).join('-');

/** Who may, in words, from the same table that decides. */
function needs({ authorise }: Endpoint): Json {
  if (authorise === 'public') return { security: [] };
  const verb = typeof authorise === 'object' ? authorise.inQuery : authorise;
  const { who, scope } = policy[verb];
  const security = scope === null ? [{ session: [] }] : [{ key: [] }, { session: [] }];
  const key = scope === null ? 'No API key may do this.' : `Scope of a key: \`${scope}\`.`;
  return { security, description: `For: ${who.join(', ')}. ${key}`, 'x-verb': verb };
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'project' ? { type: 'string' } : { type: 'string', format: 'uuid' },
    ...(name === 'project' && { description: 'Id or slug.' }),
  }));

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const content = (body: z.ZodType | Raw, side: 'input' | 'output'): Json =>
  isSchema(body)
    ? { 'application/json': { schema: jsonSchema(body, side) } }
    : { [body.mediaType]: { schema: {} } };

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The parts of docs/api.md that are made from code, by the name of their marker. */
export function referenceTables(endpoints: readonly Endpoint[]): Record<string, string> {
  return {
    endpoints: table(
      ['request', 'what it does', 'verb'],
      endpoints.map((entry) => [`\`${entry.method} ${entry.path}\``, entry.summary, verbOf(entry)]),
    ),
    scopes: table(
      ['scope', 'a key with it may'],
      scopes.map((scope) => [`\`${scope.id}\``, scope.description]),
    ),
    policy: table(
      ['verb', 'who', 'scope of a key', 'states of the project'],
      Object.entries(policy).map(([verb, rule]) => [
        `\`${verb}\``,
        rule.who.join(', '),
        rule.scope === null ? 'no key may' : `\`${rule.scope}\``,
        rule.on === 'instance' ? '' : rule.states.length === 5 ? 'all' : rule.states.join(', '),
      ]),
    ),
  };
}

function verbOf({ authorise }: Endpoint): string {
  if (authorise === 'public') return 'open to strangers';
  return `\`${typeof authorise === 'object' ? authorise.inQuery : authorise}\``;
}
