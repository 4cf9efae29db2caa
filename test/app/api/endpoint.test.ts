import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { endpoint } from '@/app/api/_http/endpoint';
import { newId } from '@/db';
import { invalid } from '@/lib/core/errors';
import { join, keyOf, person, project } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { browserOf, call, origin, withKey } from './call';

const db = useDatabase();
let browser: Record<string, string>;
let key: string;

beforeAll(async () => {
  const ann = await person(db(), 'Ann');
  browser = await browserOf(ann.email);
  key = await keyOf(db(), ann, 'read', 'projects:write');
});

const path = '/api/v1/things';
const read = endpoint({
  method: 'GET',
  path,
  summary: 'Read',
  query: z.strictObject({ n: z.coerce.number().int().optional() }),
  output: z.object({ n: z.number().nullable() }),
  authorise: 'me.read',
  handler: async ({ query }) => ({ n: query.n ?? null, secret: 'never' }),
});
const write = endpoint({
  method: 'POST',
  path,
  summary: 'Write',
  body: z.strictObject({ name: z.string().min(2) }),
  bodyLimit: 1000,
  output: null,
  authorise: 'me.read',
  handler: async () => undefined,
});
const failing = (error: unknown) =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Fail',
    output: null,
    authorise: 'public',
    handler: async () => {
      throw error;
    },
  });
const raw = (method: string, headers: Record<string, string>, body?: BodyInit) =>
  write.handle(new Request(`${origin}${path}`, { method, headers, body }), {});

describe('every answer', () => {
  it('has headers that keep a browser from guessing, running, keeping or framing it', async () => {
    for (const { headers } of [
      await call(read, { headers: browser }),
      await call(read),
      await call(failing(0)),
    ]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('carries the caller’s request id if it is harmless, else a new one', async () => {
    const own = await call(read, { headers: { 'x-request-id': 'batch-7.2' } });
    expect([own.headers.get('x-request-id'), own.json.requestId]).toEqual(['batch-7.2', 'batch-7.2']);
    const bad = await call(read, { headers: { 'x-request-id': '"><script>' } });
    expect(bad.headers.get('x-request-id')).not.toContain('script');
  });

  it('holds only what the schema names', async () => {
    expect((await call(read, { headers: browser })).json).toEqual({ n: null });
  });
});

describe('errors', () => {
  it('are problem+json with the request id', async () => {
    const { status, headers, json } = await call(failing(invalid('Too short.', { least: 3 })));
    expect(status).toBe(400);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(json).toEqual({
      type: 'about:blank',
      title: 'The request is not valid',
      status: 400,
      detail: 'Too short.',
      requestId: headers.get('x-request-id'),
      more: { least: 3 },
    });
  });

  it('tell nothing about what the server did not expect', async () => {
    const { status, json } = await call(failing(new Error('password of postgres is hunter2')));
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toContain('hunter2');
  });

  it('ask to come back when the database is away', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { status, headers } = await call(failing(new Error('Failed query', { cause })));
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  it('name the fields that are wrong', async () => {
    const { status, json } = await call(write, { headers: browser, body: { name: 'x', extra: 1 } });
    expect(status).toBe(400);
    expect(json.errors.map((error: { path: string }) => error.path)).toContain('name');
    expect((await call(read, { headers: browser, query: '?n=abc' })).status).toBe(400);
    expect((await call(read, { headers: browser, query: '?other=1' })).status).toBe(400);
  });

  it('ask strangers to sign in', async () => {
    const { status, headers } = await call(read);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };

  it('must be JSON and say so', async () => {
    expect((await raw('POST', { ...browser, 'content-type': 'text/plain' }, '{"name":"Bird"}')).status).toBe(
      415,
    );
    expect((await raw('POST', { ...browser, ...json }, '{"name":')).status).toBe(400);
    expect((await raw('POST', { ...browser, ...json }, '')).status).toBe(400);
    expect((await raw('POST', { ...browser, ...json }, '[['.repeat(400))).status).toBe(400);
  });

  it('with half of a character is refused, where the database would fail; with both halves it is taken', async () => {
    const sent = async (body: string) => (await raw('POST', { ...browser, ...json }, body)).status;
    const halves = ['{"name":"a\\ud800"}', '{"name":"\\uDC00 b"}', '{"name":"ab","\\ud83d":1}'];
    expect(await Promise.all(halves.map(sent))).toEqual([400, 400, 400]);
    expect(await sent('{"name":"a \\ud83d\\ude00"}')).toBe(204);
  });

  it('are read no further than the limit', async () => {
    expect(
      (await raw('POST', { ...browser, ...json }, JSON.stringify({ name: 'x'.repeat(990) }))).status,
    ).toBe(413);
    expect(
      (await raw('POST', { ...browser, ...json }, JSON.stringify({ name: 'x'.repeat(900) }))).status,
    ).toBe(204);
  });

  it('hold no character that the database cannot keep', async () => {
    expect((await call(write, { headers: browser, body: { name: 'a\0b' } })).status).toBe(400);
    expect((await call(read, { headers: browser, query: '?n=%00' })).status).toBe(400);
  });
});

describe('a request that changes something and comes with cookies', () => {
  const body = { name: 'Bird' };
  const { cookie } = { cookie: () => browser.cookie as string };

  it('must come from one of our own pages', async () => {
    const from = (headers: Record<string, string>) =>
      call(write, { body, headers: { cookie: cookie(), ...headers } }).then((reply) => reply.status);
    expect(await from({ origin })).toBe(204);
    expect(await from({ origin: 'http://127.0.0.1:3000' })).toBe(204);
    expect(await from({ 'sec-fetch-site': 'same-origin' })).toBe(204);
    expect(await from({})).toBe(403);
    expect(await from({ origin: 'null' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3001' })).toBe(403);
    expect(await from({ origin: 'http://localhost:3000.evil.example' })).toBe(403);
    expect(await from({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' })).toBe(403);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(await from({ 'sec-fetch-site': site })).toBe(403);
  });

  it('needs no origin when it shows a key instead', async () => {
    expect((await call(write, { body, headers: withKey(key) })).status).toBe(204);
  });
});

describe('a resource below a project', () => {
  const child = endpoint({
    method: 'GET',
    path: '/api/v1/things/{thing}',
    summary: 'A child',
    output: z.object({ slug: z.string() }),
    authorise: 'project.read',
    projectOf: async (_, { thing }) => (thing === known ? home : undefined),
    handler: async ({ access }) => ({ slug: access.project.slug }),
  });
  const known = newId();
  let home = '';

  it('is authorised through the project, and looks the same when either is missing', async () => {
    const birds = await project(db());
    home = birds.id;
    const cora = await person(db(), 'Cora');
    const headers = withKey(await keyOf(db(), cora, 'read'));
    const forbidden = await call(child, { headers, params: { thing: known } });
    const missing = await call(child, { headers, params: { thing: newId() } });
    expect([forbidden.status, forbidden.json.detail]).toEqual([404, missing.json.detail]);
    await join(db(), cora, birds.id, 'researcher');
    expect((await call(child, { headers, params: { thing: known } })).json).toEqual({ slug: birds.slug });
  });

  it('is simply not there when the id is no id', async () => {
    for (const thing of ["' or 1=1 --", '../x', 'a'.repeat(5000), '']) {
      expect((await call(child, { headers: withKey(key), params: { thing } })).status).toBe(404);
    }
  });
});
