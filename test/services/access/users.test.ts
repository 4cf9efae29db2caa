import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  addMember,
  listMembers,
  listUsers,
  removeMember,
  updateUser as updateUserEndpoint,
} from '@/app/api/v1/people';
import { newId } from '@/db';
import { auditLog, memberships, users } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';
import { updateUser } from '@/lib/services/accounts';
import { browserOf, call } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { join, person, project, tests } from './people';

const db = useDatabase();
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.kind,
  );
const admins = async () =>
  (await db().select().from(users).where(eq(users.isAdmin, true))).filter((user) => !user.disabledAt);

describe('admins', () => {
  it('cannot lose the last of them, by any of the ways', async () => {
    const ada = await person(db(), 'Ada', true);
    expect(await kindOf(updateUser(db(), ada, ada.userId, { isAdmin: false }))).toBe('conflict');
    expect(await kindOf(updateUser(db(), ada, ada.userId, { isDisabled: true }))).toBe('conflict');
    const bea = await person(db(), 'Bea', true);
    await updateUser(db(), ada, bea.userId, { isDisabled: true });
    expect(await kindOf(updateUser(db(), ada, ada.userId, { isAdmin: false }))).toBe('conflict');
    await updateUser(db(), ada, bea.userId, { isDisabled: false });
    expect(await kindOf(updateUser(db(), ada, ada.userId, { isAdmin: false }))).toBe('done');
  });

  it('cannot remove each other at the same moment', async () => {
    const [one, two] = [...(await admins()).map((user) => user.id), (await person(db(), 'Cy', true)).userId];
    const outcomes = await Promise.all(
      [one, two].map((id) => kindOf(updateUser(db(), tests, id as string, { isAdmin: false }))),
    );
    expect(outcomes.sort()).toEqual(['conflict', 'done']);
    expect(await admins()).toHaveLength(1);
  });

  it('are made and unmade in the audit log', async () => {
    const [first] = await admins();
    const bob = await person(db(), 'Bob');
    const headers = await browserOf(first?.email as string);
    const params = { user: bob.userId };
    for (const isAdmin of [true, true, false]) {
      const reply = await call(updateUserEndpoint, { headers, params, body: { isAdmin } });
      expect(reply.json).toMatchObject({ id: bob.userId, isAdmin });
    }
    const trail = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, bob.userId))
      .orderBy(auditLog.createdAt);
    expect(trail.map((row) => row.verb)).toEqual(['user.create', 'admin.grant', 'admin.withdraw']);
    expect(trail[1]?.actorId).toBe(first?.id);
  });

  it('alone may list and change accounts; to others there is no such page', async () => {
    const bob = await person(db(), 'Bob');
    const headers = await browserOf(bob.email);
    expect((await call(listUsers, { headers })).status).toBe(404);
    const raise = await call(updateUserEndpoint, {
      headers,
      params: { user: bob.userId },
      body: { isAdmin: true },
    });
    expect(raise.status).toBe(404);
  });

  it('cannot smuggle in what the form does not have', async () => {
    const [first] = await admins();
    const headers = await browserOf(first?.email as string);
    const bob = await person(db(), 'Bob');
    const body = { isDisabled: false, email: 'stolen@example.org' };
    expect((await call(updateUserEndpoint, { headers, params: { user: bob.userId }, body })).status).toBe(
      400,
    );
    expect((await call(updateUserEndpoint, { headers, params: { user: bob.userId }, body: {} })).status).toBe(
      400,
    );
  });

  it('read the list page by page, each person once, and search it literally', async () => {
    const [first] = await admins();
    const headers = await browserOf(first?.email as string);
    const seen: string[] = [];
    for (let query = '?limit=3'; query !== ''; ) {
      const { json } = await call(listUsers, { headers, query });
      seen.push(...json.items.map((item: { id: string }) => item.id));
      query = json.next ? `?limit=3&cursor=${json.next}` : '';
    }
    expect(seen).toHaveLength(await db().$count(users));
    expect(new Set(seen).size).toBe(seen.length);
    const percent = await call(listUsers, { headers, query: '?search=%25' });
    expect(percent.json.items).toEqual([]);
    const ada = await call(listUsers, { headers, query: '?search=ADA' });
    expect(ada.json.items.map((item: { name: string }) => item.name)).toEqual(['Ada']);
  });
});

describe('the people of a project', () => {
  let birds: Awaited<ReturnType<typeof project>>;
  let curator: UserActor;
  let headers: Record<string, string>;
  beforeAll(async () => {
    birds = await project(db());
    curator = await person(db(), 'Cora');
    await join(db(), curator, birds.id, 'curator');
    headers = await browserOf(curator.email);
  });

  it('come and go, each once in the list, every change in the audit log', async () => {
    const bob = await person(db(), 'Bob');
    const params = { project: birds.slug };
    for (const role of ['worker', 'researcher', 'worker']) {
      const reply = await call(addMember, { headers, params, body: { userId: bob.userId, role } });
      expect(reply.status).toBe(204);
    }
    const { json } = await call(listMembers, { headers, params });
    const row = json.items.find((item: { userId: string }) => item.userId === bob.userId);
    expect(row).toMatchObject({ name: 'Bob', roles: ['researcher', 'worker'], isDisabled: false });
    const gone = { headers, params: { ...params, user: bob.userId }, query: '?role=worker' };
    expect((await call(removeMember, gone)).status).toBe(204);
    expect((await call(removeMember, gone)).status).toBe(404);
    const trail = await db()
      .select()
      .from(auditLog)
      .where(eq(auditLog.subjectId, bob.userId))
      .orderBy(auditLog.createdAt);
    expect(trail.filter((entry) => entry.projectId === birds.id).map((entry) => entry.verb)).toEqual([
      'member.add',
      'member.add',
      'member.remove',
    ]);
  });

  it('do not become curators by a curator’s hand, nor cease to be', async () => {
    const bob = await person(db(), 'Bob');
    const params = { project: birds.slug };
    const body = { userId: bob.userId, role: 'curator' };
    expect((await call(addMember, { headers, params, body })).status).toBe(404);
    const own = { ...params, user: curator.userId };
    expect((await call(removeMember, { headers, params: own, query: '?role=curator' })).status).toBe(404);
    expect(await db().select().from(memberships).where(eq(memberships.userId, bob.userId))).toEqual([]);
  });

  it('must have an account that is not disabled', async () => {
    const bob = await person(db(), 'Bob');
    await updateUser(db(), tests, bob.userId, { isDisabled: true });
    for (const userId of [bob.userId, newId()]) {
      const body = { userId, role: 'worker' };
      expect((await call(addMember, { headers, params: { project: birds.slug }, body })).status).toBe(404);
    }
  });
});
