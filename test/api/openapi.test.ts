import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '@/app/api/_http/openapi';
import { endpoints } from '@/app/api/v1/endpoints';
import { getOpenApi } from '@/app/api/v1/openapi.json/endpoints';
import { projectFolder } from '@/lib/config';
import { useDatabase } from '../support/database';
import { call } from './call';

useDatabase();

// biome-ignore lint/suspicious/noExplicitAny: a document of free shape is looked into.
type Free = any;
const document = openApiDocument(endpoints) as Free;
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const apiFolder = path.join(projectFolder, 'app/api/v1');
const routeFiles = readdirSync(apiFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'route.ts')
  .map((file) => path.dirname(file).split(path.sep).join('/'));

const served = await Promise.all(
  routeFiles.map(async (folder) => {
    const route = await import(/* @vite-ignore */ path.join(apiFolder, folder, 'route.ts'));
    const at = `/api/v1/${folder.replace(/\[(\w+)\]/g, '{$1}')}`;
    return methods
      .filter((method) => method in route)
      .map((method) => ({ name: `${method} ${at}`, handle: route[method] }));
  }),
).then((lists) => lists.flat());

describe('the OpenAPI document', () => {
  it('describes exactly what the route files serve, by the same code', () => {
    const described = new Map(endpoints.map((entry) => [`${entry.method} ${entry.path}`, entry.handle]));
    expect(served.map((entry) => entry.name).sort()).toEqual([...described.keys()].sort());
    for (const { name, handle } of served) expect(handle, name).toBe(described.get(name));
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
