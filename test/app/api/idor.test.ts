import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '@/app/api/_http/endpoint';
import { endpoints } from '@/app/api/v1/endpoints';
import { newId } from '@/db';
import { auditLog } from '@/db/schema';
import { policy, scopeIds } from '@/lib/services/access';
import { join, keyOf, person, project } from '../../services/access/people';
import { useDatabase } from '../../support/database';
import { call, withKey } from './call';

/** Every route that names a project or another thing by id is tried by people who have no business there. */
const db = useDatabase();
const callers: Record<string, Record<string, string>> = {};
const workerOfIt = 'a worker of the project';
let foreign: { id: string; slug: string };

beforeAll(async () => {
  foreign = await project(db(), 'Secret');
  const own = await project(db(), 'Own');
  const curator = await person(db(), 'Cora');
  const worker = await person(db(), 'Will');
  await join(db(), curator, own.id, 'curator', 'researcher', 'worker');
  await join(db(), worker, foreign.id, 'worker');
  callers['the curator of another project'] = withKey(await keyOf(db(), curator, ...scopeIds));
  callers[workerOfIt] = withKey(await keyOf(db(), worker, ...scopeIds));
});

const onProject = endpoints.filter((entry) => entry.path.includes('{project}'));
/** An id that nothing has, for every name in the path. */
const strangeIds = (entry: Endpoint) =>
  Object.fromEntries([...entry.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, newId()]));

const forWorkers = ({ authorise }: Endpoint) =>
  typeof authorise === 'string' &&
  authorise !== 'public' &&
  (policy[authorise].who as readonly string[]).includes('worker');

/** A worker of the project has business with what is for its workers, and with nothing else. */
const strangersTo = (entry: Endpoint) =>
  Object.entries(callers).filter(([who]) => !(forWorkers(entry) && who === workerOfIt));

describe('a project of others', () => {
  it.each(onProject.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))(
    'cannot be told from one that does not exist: %s',
    async (_, entry) => {
      for (const [who, headers] of strangersTo(entry)) {
        const ask = async (name: string) => {
          const params = { ...strangeIds(entry), project: name };
          const { status, json } = await call(entry, {
            headers,
            params,
            body: entry.method === 'GET' ? undefined : {},
          });
          return { status, ...json, requestId: '' };
        };
        const missing = await ask(newId());
        expect(missing.status, who).toBe(404);
        for (const name of [foreign.id, foreign.slug]) expect(await ask(name), who).toEqual(missing);
      }
    },
  );

  it('was changed by none of this', async () => {
    const trail = await db().select().from(auditLog);
    expect(trail.filter((row) => row.projectId === foreign.id).map((row) => row.verb)).toEqual([
      'project.create',
    ]);
  });
});

describe('an id that nothing has', () => {
  const byId = endpoints.filter((entry) => entry.path.includes('{') && entry.authorise !== 'public');

  it.each(byId.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))(
    'is not found, and nothing breaks: %s',
    async (_, entry) => {
      const body = entry.method === 'GET' ? undefined : {};
      for (const headers of Object.values(callers)) {
        expect((await call(entry, { headers, params: strangeIds(entry), body })).status).toBe(404);
      }
    },
  );
});
