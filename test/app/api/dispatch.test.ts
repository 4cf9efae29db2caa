import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Endpoint, endpoint, type Method } from '@/app/api/_http/endpoint';
import { createRouter, dispatch } from '@/app/api/_http/router';
import { GET, POST } from '@/app/api/[...path]/route';
import { useDatabase } from '../../support/database';

useDatabase();

const origin = 'http://localhost:3000';

/** An endpoint that answers with its own summary and the parameters it received. */
const echo = (method: Method, path: string): Endpoint =>
  endpoint({
    method,
    path,
    summary: `${method} ${path}`,
    output: z.object({ summary: z.string(), params: z.record(z.string(), z.string()) }),
    authorise: 'public',
    handler: async ({ params }) => ({ summary: `${method} ${path}`, params }),
  });

const project = '/api/v1/projects/{project}';
const image = `${project}/images/{image}`;
const api = dispatch([
  echo('GET', project),
  echo('PATCH', project),
  echo('GET', image),
  echo('GET', `${project}/images/near-duplicates`),
  echo('GET', `${image}/labels`),
]);
const id = '01890f3e-7b1c-7cc0-9cde-0242ac120002';
const ask = (path: string, method = 'GET') =>
  api(new Request(`${origin}${path}`, { method, headers: { origin } }));

describe('a request to the API', () => {
  it.each([
    ['/api/v1/projects/birds', project, { project: 'birds' }],
    [`/api/v1/projects/birds/images/${id}`, image, { project: 'birds', image: id }],
    [
      '/api/v1/projects/birds/images/near-duplicates',
      `${project}/images/near-duplicates`,
      { project: 'birds' },
    ],
    [`/api/v1/projects/%62irds/images/${id}/labels?x=1`, `${image}/labels`, { project: 'birds', image: id }],
  ])('is answered by the endpoint of its path: %s', async (path, expected, params) => {
    const reply = await ask(path);
    expect(await reply.json()).toEqual({ summary: `GET ${expected}`, params });
  });

  it.each([
    '/api/v1',
    '/api/v1/projects',
    '/api/v1/projects/birds/',
    '/api/v1/projects/birds/images',
    '/api/v1/%zz',
  ])('to an unknown address gets a 404 as data: %s', async (path) => {
    const reply = await ask(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  it('with a method that the path does not have gets a 405 that names the others', async () => {
    const reply = await ask('/api/v1/projects/birds', 'DELETE');
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, PATCH, HEAD, OPTIONS']);
    const options = await ask('/api/v1/projects/birds', 'OPTIONS');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, PATCH, HEAD, OPTIONS']);
  });

  it('HEAD is answered like GET', async () => {
    expect((await ask('/api/v1/projects/birds', 'HEAD')).status).toBe(200);
  });

  it('never takes a slash or a backslash in a parameter for a segment', async () => {
    for (const name of ['..%2F..%2Fkeys', '%2e%2e', 'a%5Cb', '%00']) {
      expect((await ask(`/api/v1/projects/${name}`)).status, name).toBe(404);
    }
  });

  it.each(['GET', 'POST', 'DELETE'])('an unknown address has the headers of data: %s', async (method) => {
    const handler = method === 'GET' ? GET : POST;
    const reply = await handler(new Request(`${origin}/api/v1/nothing`, { method }));
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('the router', () => {
  it('refuses two endpoints with the same method and path', () => {
    expect(() => createRouter([echo('GET', project), echo('GET', project)])).toThrow('registered twice');
  });

  it('refuses two names for one segment', () => {
    expect(() => createRouter([echo('GET', project), echo('PATCH', '/api/v1/projects/{other}')])).toThrow(
      'is called {project}',
    );
  });
});
