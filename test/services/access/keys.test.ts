import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createKey as createKeyEndpoint,
  getMe,
  listKeys as listKeysEndpoint,
  revokeKey as revokeKeyEndpoint,
} from '@/app/api/v1/account';
import { listUsers } from '@/app/api/v1/people';
import { getProject, updateProject } from '@/app/api/v1/projects';
import { newId } from '@/db';
import { apiKeys, auditLog } from '@/db/schema';
import type { UserActor } from '@/lib/services/access';
import { actorFromRequest } from '@/lib/services/access/actor-from-request';
import { createKey, revokeKey } from '@/lib/services/access/keys';
import { updateUser } from '@/lib/services/accounts';
import { browserOf, call, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { join, keyOf, person, project, tests } from './people';

const db = useDatabase();
let ann: UserActor;
beforeAll(async () => {
  ann = await person(db(), 'Ann');
});

const actorOf = (key: string) => actorFromRequest(new Headers(withKey(key)), db());

describe('an API key', () => {
  it('is shown once; the database keeps its hash and its first characters', async () => {
    const made = await call(createKeyEndpoint, {
      headers: await browserOf(ann.email),
      body: { name: 'notebook', scopes: ['read', 'read'] },
    });
    expect(made.status).toBe(201);
    expect(made.json.key).toMatch(/^tess_[A-Za-z0-9_-]{43}$/);
    expect(made.json.scopes).toEqual(['read']);
    const [row] = await db().select().from(apiKeys).where(eq(apiKeys.id, made.json.id));
    expect(JSON.stringify(row)).not.toContain(made.json.key);
    expect(made.json.key.startsWith(row?.prefix)).toBe(true);
    const [entry] = await db().select().from(auditLog).where(eq(auditLog.subjectId, made.json.id));
    expect(entry).toMatchObject({
      verb: 'key.create',
      actorId: ann.userId,
      requestId: made.headers.get('x-request-id'),
    });
    const listed = await call(listKeysEndpoint, { headers: await browserOf(ann.email) });
    expect(JSON.stringify(listed.json)).not.toContain(row?.keyHash);
  });

  it('opens the API by either header', async () => {
    const key = await keyOf(db(), ann, 'read');
    expect((await call(getMe, { headers: { 'x-api-key': key } })).json).toMatchObject({
      via: 'key',
      scopes: ['read'],
    });
    expect((await call(getMe, { headers: withKey(key) })).status).toBe(200);
  });

  it('gives no more than its scope, though its owner may more', async () => {
    const { id, slug } = await project(db());
    await join(db(), ann, id, 'curator');
    const key = await keyOf(db(), ann, 'read');
    expect((await call(getProject, { params: { project: slug }, headers: withKey(key) })).status).toBe(200);
    const change = await call(updateProject, {
      params: { project: slug },
      body: { name: 'X' },
      headers: withKey(key),
    });
    expect(change.status).toBe(404);
    expect(change.json.detail).toContain('projects:write');
  });

  it('gives no more than its owner has, though its scope says more', async () => {
    const { slug } = await project(db());
    const key = await keyOf(db(), ann, 'read', 'projects:write', 'admin');
    expect((await call(getProject, { params: { project: slug }, headers: withKey(key) })).status).toBe(404);
    expect((await call(listUsers, { headers: withKey(key) })).status).toBe(404);
  });

  it('of an admin acts as an admin only with that scope', async () => {
    const ada = await person(db(), 'Ada', true);
    const { slug } = await project(db());
    const plain = await keyOf(db(), ada, 'read');
    const strong = await keyOf(db(), ada, 'read', 'admin');
    expect((await call(getProject, { params: { project: slug }, headers: withKey(plain) })).status).toBe(404);
    expect((await call(getProject, { params: { project: slug }, headers: withKey(strong) })).status).toBe(
      200,
    );
    expect((await call(listUsers, { headers: withKey(strong) })).status).toBe(200);
  });

  it('can never make, list or revoke keys', async () => {
    const headers = withKey(await keyOf(db(), ann, 'read', 'admin'));
    for (const reply of [
      await call(listKeysEndpoint, { headers }),
      await call(createKeyEndpoint, { headers, body: { name: 'more', scopes: ['admin'] } }),
      await call(revokeKeyEndpoint, { headers, params: { key: newId() } }),
    ]) {
      expect(reply.status).toBe(404);
    }
  });

  it('is nobody when it is unknown, revoked, expired or its owner is disabled', async () => {
    const revoked = await createKey(db(), ann, { name: 'a', scopes: ['read'], expiresAt: null });
    await revokeKey(db(), ann, revoked.id);
    const expired = await createKey(db(), ann, {
      name: 'b',
      scopes: ['read'],
      expiresAt: new Date(Date.now() - 1000),
    });
    const bob = await person(db(), 'Bob');
    const orphan = await keyOf(db(), bob, 'read');
    await updateUser(db(), tests, bob.userId, { isDisabled: true });
    for (const key of ['tess_nonsense', '', revoked.key, expired.key, orphan]) {
      expect(await actorOf(key)).toBeNull();
    }
  });

  it('stays dead when its owner is enabled again', async () => {
    const bob = await person(db(), 'Bob');
    const key = await keyOf(db(), bob, 'read');
    await updateUser(db(), tests, bob.userId, { isDisabled: true });
    await updateUser(db(), tests, bob.userId, { isDisabled: false });
    expect(await actorOf(key)).toBeNull();
  });

  it('decides alone: a bad key is not helped by a good cookie', async () => {
    const browser = await browserOf(ann.email);
    expect((await call(getMe, { headers: { ...browser, 'x-api-key': 'tess_wrong' } })).status).toBe(401);
    expect((await call(getMe, { headers: { ...browser, authorization: 'Basic YTpi' } })).status).toBe(401);
  });

  it('notes its use at most once a minute', async () => {
    const made = await createKey(db(), ann, { name: 'c', scopes: ['read'], expiresAt: null });
    const lastUsed = async () =>
      (await db().select().from(apiKeys).where(eq(apiKeys.id, made.id)))[0]?.lastUsedAt?.getTime();
    await actorOf(made.key);
    const first = await lastUsed();
    await actorOf(made.key);
    expect(await lastUsed()).toBe(first);
    const longAgo = new Date(Date.now() - 61_000);
    await db().update(apiKeys).set({ lastUsedAt: longAgo }).where(eq(apiKeys.id, made.id));
    await actorOf(made.key);
    expect(await lastUsed()).toBeGreaterThan(longAgo.getTime());
  });
});

describe('keys of other people', () => {
  it('cannot be revoked, and look exactly like keys that do not exist', async () => {
    const bob = await person(db(), 'Bob');
    const made = await createKey(db(), bob, { name: 'his', scopes: ['read'], expiresAt: null });
    const headers = await browserOf(ann.email);
    const his = await call(revokeKeyEndpoint, { headers, params: { key: made.id } });
    const none = await call(revokeKeyEndpoint, { headers, params: { key: newId() } });
    expect([his.status, his.json.detail]).toEqual([404, none.json.detail]);
    expect(await actorOf(made.key)).not.toBeNull();
  });
});
