import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptInvitation as acceptEndpoint,
  inviteToProject,
  listProjectInvitations,
  lookAtInvitation,
  revokeProjectInvitation,
} from '@/app/api/v1/people';
import { auditLog, invitations, memberships, type Role, users } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';
import { acceptInvitation, createInvitation, revokeInvitation } from '@/lib/services/accounts';
import { browserOf, call } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { join, password, person, project, tests } from './people';

const db = useDatabase();
const tomorrow = () => new Date(Date.now() + 86_400_000);
let birds: Awaited<ReturnType<typeof project>>;
let curator: UserActor;

beforeAll(async () => {
  birds = await project(db());
  curator = await person(db(), 'Cora');
  await join(db(), curator, birds.id, 'curator');
});

const invite = (more: Partial<Parameters<typeof createInvitation>[2]> = {}) =>
  createInvitation(db(), tests, { projectId: birds.id, roles: ['worker'], expiresAt: tomorrow(), ...more });

let n = 0;
const newcomer = (email = `new-${n++}@example.org`) => ({
  account: { name: 'New', email, password },
  requestId: null,
});

const rolesOf = async (userId: string) =>
  (await db().select().from(memberships).where(eq(memberships.userId, userId))).map((row) => row.role).sort();
const used = async (id: string) =>
  (await db().select().from(invitations).where(eq(invitations.id, id)))[0]?.used;
const kindOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error) => error.kind,
  );

describe('an invitation', () => {
  it('is made by a curator, looked at and accepted by a stranger, who then signs in', async () => {
    const made = await call(inviteToProject, {
      headers: await browserOf(curator.email),
      params: { project: birds.slug },
      body: { roles: ['worker', 'researcher'], expiresAt: tomorrow().toISOString() },
    });
    expect(made.status).toBe(201);
    const { token, link } = made.json;
    expect(link).toBe(`http://localhost:3000/join/${token}`);

    const seen = await call(lookAtInvitation, { body: { token } });
    expect(seen.json).toMatchObject({ project: { slug: birds.slug }, roles: ['worker', 'researcher'] });

    const account = { name: 'Nora', email: 'Nora@Example.org', password };
    const joined = await call(acceptEndpoint, { body: { token, account } });
    expect(joined.status).toBe(200);
    expect(await rolesOf(joined.json.userId)).toEqual(['researcher', 'worker']);
    await browserOf('nora@example.org');

    const trail = await db().select().from(auditLog).where(eq(auditLog.actorId, joined.json.userId));
    expect(trail.map((row) => row.verb).sort()).toEqual(['invitation.accept', 'user.create']);
    expect(trail[0]?.requestId).toBe(joined.headers.get('x-request-id'));
  });

  it('is kept as a hash: the database does not know the token', async () => {
    const made = await invite();
    const [row] = await db().select().from(invitations).where(eq(invitations.id, made.id));
    expect(JSON.stringify(row)).not.toContain(made.token);
    const listed = await call(listProjectInvitations, {
      headers: await browserOf(curator.email),
      params: { project: birds.slug },
    });
    expect(JSON.stringify(listed.json)).not.toContain(row?.tokenHash);
  });

  it('gives roles to somebody who is signed in, without a second account', async () => {
    const ann = await person(db(), 'Ann');
    const made = await invite();
    const headers = await browserOf(ann.email);
    expect((await call(acceptEndpoint, { headers, body: { token: made.token } })).status).toBe(200);
    expect(await rolesOf(ann.userId)).toEqual(['worker']);
  });

  it('costs no second seat when the same person accepts again', async () => {
    const ann = await person(db(), 'Ann');
    const made = await invite({ seats: 5 });
    await acceptInvitation(db(), made.token, { actor: ann });
    await acceptInvitation(db(), made.token, { actor: ann });
    expect(await used(made.id)).toBe(1);
  });

  it('with one seat left is won by exactly one of many who accept at once', async () => {
    const made = await invite({ seats: 3 });
    await acceptInvitation(db(), made.token, newcomer());
    await acceptInvitation(db(), made.token, newcomer());
    const before = await db().$count(users);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => kindOf(acceptInvitation(db(), made.token, newcomer()))),
    );
    expect(outcomes.sort()).toEqual(['accepted', ...Array(4).fill('not-found')]);
    expect(await used(made.id)).toBe(3);
    expect(await db().$count(users)).toBe(before + 1);
  });

  it('makes one account when a person clicks twice at once', async () => {
    const made = await invite({ seats: 5 });
    const twice = [newcomer('twice@example.org'), newcomer('twice@example.org')];
    const outcomes = await Promise.all(twice.map((who) => kindOf(acceptInvitation(db(), made.token, who))));
    expect(outcomes.sort()).toEqual(['accepted', 'conflict']);
    expect(await used(made.id)).toBe(1);
  });

  it('for one address is of no use to another', async () => {
    const made = await invite({ email: 'Zoe@example.org' });
    expect(await kindOf(acceptInvitation(db(), made.token, newcomer('eve@example.org')))).toBe('invalid');
    expect(await used(made.id)).toBe(0);
    expect(await kindOf(acceptInvitation(db(), made.token, newcomer('zoe@example.org')))).toBe('accepted');
  });

  it('does not take over an account that has the address already', async () => {
    const ann = await person(db(), 'Ann');
    const made = await invite();
    expect(await kindOf(acceptInvitation(db(), made.token, newcomer(ann.email)))).toBe('conflict');
    expect(await used(made.id)).toBe(0);
  });

  it('opens nothing when it is revoked, expired or made up', async () => {
    const revoked = await invite();
    await revokeInvitation(db(), tests, { invitationId: revoked.id });
    const expired = await invite();
    await db()
      .update(invitations)
      .set({ expiresAt: new Date(0) })
      .where(eq(invitations.id, expired.id));
    const details: string[] = [];
    for (const token of [revoked.token, expired.token, 'made-up']) {
      const reply = await call(lookAtInvitation, { body: { token } });
      expect(reply.status).toBe(404);
      details.push(reply.json.detail);
      expect(await kindOf(acceptInvitation(db(), token, newcomer()))).toBe('not-found');
    }
    expect(new Set(details).size).toBe(1);
  });

  it('can make an admin', async () => {
    const made = await invite({ projectId: null, roles: [], makesAdmin: true });
    const { userId } = await acceptInvitation(db(), made.token, newcomer());
    const [user] = await db().select().from(users).where(eq(users.id, userId));
    expect(user?.isAdmin).toBe(true);
  });

  it.each([
    ['nothing at all', { projectId: null, roles: [] as Role[] }],
    ['a role without a project', { projectId: null, roles: ['worker'] as Role[], makesAdmin: true }],
    ['no role in a project', { roles: [] as Role[] }],
    ['an admin of one project', { makesAdmin: true }],
    ['an end that has passed', { expiresAt: new Date(0) }],
    ['many seats for one address', { email: 'a@example.org', seats: 2 }],
  ])('is refused when it gives %s', async (_, more) => {
    expect(await kindOf(invite(more))).toBe('invalid');
  });
});

describe('rights do not grow by inviting', () => {
  const body = (roles: Role[]) => ({ roles, expiresAt: tomorrow().toISOString() });

  it('a curator cannot invite a curator, a worker cannot invite anybody', async () => {
    const worker = await person(db(), 'Will');
    await join(db(), worker, birds.id, 'worker');
    const params = { project: birds.slug };
    const asCurator = await browserOf(curator.email);
    expect(
      (await call(inviteToProject, { headers: asCurator, params, body: body(['curator']) })).status,
    ).toBe(404);
    const asWorker = await browserOf(worker.email);
    expect((await call(inviteToProject, { headers: asWorker, params, body: body(['worker']) })).status).toBe(
      404,
    );
  });

  it('a curator cannot withdraw the invitations of another project through their own', async () => {
    const cars = await project(db(), 'Cars');
    const made = await invite({ projectId: cars.id });
    const reply = await call(revokeProjectInvitation, {
      headers: await browserOf(curator.email),
      params: { project: birds.slug, invitation: made.id },
    });
    expect(reply.status).toBe(404);
    expect(await kindOf(acceptInvitation(db(), made.token, newcomer()))).toBe('accepted');
  });
});
