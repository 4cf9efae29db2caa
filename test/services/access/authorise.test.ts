import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@/db';
import { projects } from '@/db/schema';
import { authorise, requireGrant, systemActor, type UserActor, visibleProjects } from '@/lib/services/access';
import { useDatabase } from '../../support/database';
import { join, person, project } from './people';
import { countStatements } from './statements';

const db = useDatabase();
let curator: UserActor;
let worker: UserActor;
let stranger: UserActor;
let admin: UserActor;
let birds: Awaited<ReturnType<typeof project>>;
let cars: typeof birds;

beforeAll(async () => {
  [birds, cars] = [await project(db(), 'Birds'), await project(db(), 'Cars')];
  curator = await person(db(), 'Cora');
  worker = await person(db(), 'Will');
  stranger = await person(db(), 'Sam');
  admin = await person(db(), 'Ada', true);
  await join(db(), curator, birds.id, 'curator', 'researcher');
  await join(db(), worker, birds.id, 'worker');
});

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error) => error,
  );
const slugs = async (actor: UserActor, verb?: 'work.read') =>
  (await db().select({ slug: projects.slug }).from(projects).where(visibleProjects(actor, verb)))
    .map((row) => row.slug)
    .sort();

describe('authorise', () => {
  it('finds a project by id or by slug and tells the roles', async () => {
    for (const name of [birds.id, birds.slug]) {
      const { project: found, roles } = await authorise(db(), curator, 'project.read', { project: name });
      expect(found.id).toBe(birds.id);
      expect(roles).toEqual(['curator', 'researcher']);
    }
  });

  it('says the same about a project that is missing and one that is none of your business', async () => {
    const forbidden = await errorOf(authorise(db(), stranger, 'project.read', { project: birds.id }));
    const missing = await errorOf(authorise(db(), stranger, 'project.read', { project: newId() }));
    expect(forbidden).toMatchObject({ kind: 'not-found' });
    expect(forbidden?.message).toBe(missing?.message);
  });

  it('does not let the roles of one project count in another', async () => {
    const error = await errorOf(authorise(db(), curator, 'project.read', { project: cars.id }));
    expect(error).toMatchObject({ kind: 'not-found' });
  });

  it('asks the database once', async () => {
    const n = await countStatements(db(), () =>
      authorise(db(), curator, 'images.write', { project: birds.slug }),
    );
    expect(n).toBe(1);
  });

  it('lets the installation itself do what an admin may, but not take work', async () => {
    const system = systemActor('command line');
    await authorise(db(), system, 'images.write', { project: birds.id });
    expect(await errorOf(authorise(db(), system, 'work.take', { project: birds.id }))).not.toBeNull();
  });
});

describe('visibleProjects', () => {
  it('narrows a list to what the actor may use with the verb', async () => {
    expect(await slugs(curator)).toEqual([birds.slug]);
    expect(await slugs(stranger)).toEqual([]);
    expect(await slugs(worker)).toEqual([]);
    expect(await slugs(worker, 'work.read')).toEqual([birds.slug]);
    expect(await slugs(admin)).toEqual([birds.slug, cars.slug].sort());
  });
});

describe('giving roles', () => {
  it('is refused to a curator for the role curator itself', async () => {
    const access = await authorise(db(), curator, 'members.manage', { project: birds.id });
    expect(() => requireGrant(curator, access, ['worker', 'researcher'])).not.toThrow();
    expect(() => requireGrant(curator, access, ['worker', 'curator'])).toThrow('Only an instance admin');
  });

  it('is open to an admin for every role, but not to an admin’s key without the scope', async () => {
    const access = await authorise(db(), admin, 'members.manage', { project: birds.id });
    expect(() => requireGrant(admin, access, ['curator'])).not.toThrow();
    const key: UserActor = { ...admin, isAdmin: false, via: 'key', scopes: new Set(['members:write']) };
    expect(() => requireGrant(key, access, ['curator'])).toThrow();
  });
});
