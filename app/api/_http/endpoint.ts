import { z } from 'zod';
import { type Database, database } from '@/db';
import { notFound } from '@/lib/core/errors';
import {
  authorise,
  type InstanceVerb,
  looksLikeId,
  type ProjectAccess,
  type ProjectVerb,
  policy,
  requireScope,
  type UserActor,
  type Verb,
} from '@/lib/services/access';
import { actorFromRequest } from '@/lib/services/access/actor-from-request';
import { requestIdHeader } from '@/lib/services/access/request-headers';
import { takeToken } from './bucket';
import { framed } from './frame';
import { defaultBodyLimit, parseOrRefuse, readJson, readQuery, requireOwnOrigin } from './input';
import { Refusal } from './problem';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Bytes that are not JSON: an upload that the handler reads, or a stream that it answers with. */
export interface Raw {
  mediaType: string;
}

/** For lists over many projects: the handler puts `visibleProjects(actor, verb)` into its query. */
interface InQuery {
  inQuery: ProjectVerb;
}

/** `public` is for strangers too; the handler still learns who asks, if somebody we know does. */
export type Authorise = 'public' | Verb | InQuery;

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
type Params<Path extends string> = Readonly<Record<Names<Path>, string>>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Answer<S> = S extends z.ZodType ? z.input<S> : S extends Raw ? Response : unknown;

export interface Context<Path extends string, Query, Body, A> {
  db: Database;
  actor: A extends 'public' ? UserActor | null : UserActor;
  /** What `authorise` found, for a verb on a project. */
  access: A extends ProjectVerb ? ProjectAccess : null;
  params: Params<Path>;
  query: Parsed<Query>;
  body: Parsed<Body>;
  request: Request;
  requestId: string;
}

export interface Definition<Path extends string, Query, Body, Output, A extends Authorise> {
  method: Method;
  /** With `{name}` for what varies. `{project}` is an id or a slug, every other name is an id. */
  path: Path;
  summary: string;
  query?: Query;
  body?: Body;
  /** Bytes of JSON in the body. */
  bodyLimit?: number;
  output: Output;
  status?: 200 | 201 | 202;
  authorise: A;
  /** The parent through which a child is authorised, when the path does not name the project. */
  projectOf?: (db: Database, params: Params<Path>) => Promise<string | undefined>;
  handler: (context: Context<Path, Query, Body, A>) => Promise<Answer<Output>>;
}

/** What the registry, the OpenAPI document and the routes see of an endpoint. */
export interface Endpoint<M extends Method = Method> {
  method: M;
  path: string;
  summary: string;
  query: z.ZodType | undefined;
  body: z.ZodType | Raw | undefined;
  output: z.ZodType | Raw | null;
  status: number;
  authorise: Authorise;
  /** Answers a request. `params` are the decoded segments of the path by name, not yet validated. */
  handle: (request: Request, params: PathParams) => Promise<Response>;
}

type PathParams = Readonly<Record<string, string>>;

export function endpoint<
  const M extends Method,
  const Path extends string,
  const A extends Authorise,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | Raw | undefined = undefined,
  Output extends z.ZodType | Raw | null = null,
>(definition: Definition<Path, Query, Body, Output, A> & { method: M }): Endpoint<M> {
  const { method, path, summary, query, body, output } = definition;
  const status = definition.status ?? (output === null ? 204 : 200);
  const handle = (request: Request, given: PathParams) =>
    framed(request, path, async (requestId) => {
      requireOwnOrigin(request);
      const db = database();
      const actor = await whoAsks(request, requestId, db);
      takeToken(request, actor);
      const params = readParams(path, given) as Params<Path>;
      const access = await admit(definition, db, actor, params);
      const context = {
        db,
        actor,
        access,
        params,
        query: query ? parseOrRefuse(query, readQuery(request.url)) : undefined,
        body: isSchema(body)
          ? parseOrRefuse(body, await readJson(request, definition.bodyLimit ?? defaultBodyLimit))
          : undefined,
        request,
        requestId,
      } as Context<Path, Query, Body, A>;
      const result: unknown = await definition.handler(context);
      if (result instanceof Response) return result;
      if (!isSchema(output)) return new Response(null, { status });
      // Only what the schema names leaves the server.
      return Response.json(output.parse(result), { status });
    });
  return { method, path, summary, query, body, output, status, authorise: definition.authorise, handle };
}

export const isSchema = (thing: unknown): thing is z.ZodType => thing instanceof z.ZodType;

async function whoAsks(request: Request, requestId: string, db: Database): Promise<UserActor | null> {
  const headers = new Headers(request.headers);
  headers.set(requestIdHeader, requestId);
  return actorFromRequest(headers, db);
}

async function admit<Path extends string>(
  definition: Pick<Definition<Path, never, never, never, Authorise>, 'authorise' | 'projectOf'>,
  db: Database,
  actor: UserActor | null,
  params: Params<Path>,
): Promise<ProjectAccess | null> {
  const rule = definition.authorise;
  if (rule === 'public') return null;
  if (!actor) {
    throw new Refusal(401, 'Sign in, or send an API key.', { headers: { 'www-authenticate': 'Bearer' } });
  }
  if (typeof rule === 'object') {
    requireScope(actor, rule.inQuery);
    return null;
  }
  if (policy[rule].on === 'instance') return authorise(db, actor, rule as InstanceVerb, 'instance');
  // Before the parent is looked for: a key without the scope must not learn what exists.
  requireScope(actor, rule);
  const project = definition.projectOf
    ? await definition.projectOf(db, params)
    : (params as Record<string, string>).project;
  if (project === undefined) throw notFound('project');
  return authorise(db, actor, rule as ProjectVerb, { project });
}

const slug = /^[a-z0-9][a-z0-9-]{0,62}$/;

function readParams(path: string, given: PathParams) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
  return Object.fromEntries(
    names.map((name) => {
      const value = given[name];
      const isGood = value !== undefined && (looksLikeId(value) || (name === 'project' && slug.test(value)));
      if (!isGood) throw notFound(name);
      return [name, value];
    }),
  );
}
