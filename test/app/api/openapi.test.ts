import { describe, expect, it } from 'vitest';
import { openApiDocument } from '@/app/api/_http/openapi';
import { createRouter } from '@/app/api/_http/router';
import { endpoints } from '@/app/api/v1/endpoints';
import { getOpenApi } from '@/app/api/v1/openapi';
import { useDatabase } from '../../support/database';
import { call } from './call';

useDatabase();

// biome-ignore lint/suspicious/noExplicitAny: a document of free shape is looked into.
type Free = any;
const document = openApiDocument(endpoints) as Free;
const route = createRouter(endpoints);

describe('the OpenAPI document', () => {
  it('lists every endpoint, and each is found at its path', () => {
    const listed = Object.entries<Record<string, Free>>(document.paths).flatMap(([at, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${at}`),
    );
    expect(listed.sort()).toEqual(endpoints.map((entry) => `${entry.method} ${entry.path}`).sort());
    for (const entry of endpoints) {
      const names = [...entry.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
      const match = route(entry.path.replace(/[{}]/g, '~'));
      expect(match?.methods.get(entry.method), entry.path).toBe(entry);
      expect(match?.params).toEqual(Object.fromEntries(names.map((name) => [name, `~${name}~`])));
    }
  });

  it('is an OpenAPI 3.1 document in shape', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const ids: string[] = [];
    for (const [at, item] of Object.entries<Record<string, Free>>(document.paths)) {
      for (const operation of Object.values(item)) {
        ids.push(operation.operationId);
        expect(operation.summary.length, at).toBeGreaterThan(3);
        const inPath = operation.parameters.filter((parameter: Free) => parameter.in === 'path');
        expect(inPath.map((parameter: Free) => `{${parameter.name}}`)).toEqual(at.match(/\{\w+\}/g) ?? []);
        for (const parameter of operation.parameters) expect(parameter.schema, at).toBeTypeOf('object');
        expect(Object.keys(operation.responses)).toContain('default');
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('points only at schemas that it has', () => {
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name as string);
    }
  });

  it('tells which scope a key needs, and where no key will do', () => {
    const operation = document.paths['/api/v1/projects/{project}'].patch;
    expect(operation.description).toContain('projects:write');
    expect(document.paths['/api/v1/keys'].post.security).toEqual([{ session: [] }]);
    expect(document.paths['/api/v1/invitations/look'].post.security).toEqual([]);
  });

  it('speaks of moments as strings', () => {
    const project = document.paths['/api/v1/projects'].post.responses[201].content['application/json'].schema;
    expect(project.properties.createdAt).toMatchObject({ type: 'string', format: 'date-time' });
  });

  it('is served to everybody', async () => {
    const reply = await call(getOpenApi);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
