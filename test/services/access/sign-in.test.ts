import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { getMe } from '@/app/api/v1/account';
import type { Database } from '@/db';
import { accounts, auditLog, rateLimits, sessions } from '@/db/schema';
import { auth } from '@/lib/services/access/better-auth';
import { setPassword, updateUser } from '@/lib/services/accounts';
import { browserOf, call, postAuth, withKey } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { keyOf, password, person, tests } from './people';

const db = useDatabase();

describe('signing in', () => {
  it('gives a cookie that scripts cannot read, and no token anywhere else', async () => {
    const ann = await person(db(), 'Ann');
    const reply = await postAuth('sign-in/email', { email: ann.email.toUpperCase(), password });
    expect(reply.status).toBe(200);
    const cookie = reply.headers.getSetCookie().find((line) => line.startsWith('tessera.session_token='));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, ann.userId));
    expect(await reply.text()).not.toContain(session?.token);
  });

  it('is the same person that the API then knows', async () => {
    const ann = await person(db(), 'Ann');
    const me = await call(getMe, { headers: await browserOf(ann.email) });
    expect(me.json).toMatchObject({ id: ann.userId, name: 'Ann', via: 'session', scopes: null });
  });

  it('fails with the same words for a wrong password, an unknown address and a disabled account', async () => {
    const ann = await person(db(), 'Ann');
    const gone = await person(db(), 'Gone');
    await updateUser(db(), tests, gone.userId, { isDisabled: true });
    const replies = [
      await postAuth('sign-in/email', { email: ann.email, password: 'not the password' }),
      await postAuth('sign-in/email', { email: 'nobody@example.org', password }),
      await postAuth('sign-in/email', { email: gone.email, password }),
    ];
    const said = await Promise.all(replies.map(async (reply) => [reply.status, (await reply.json()).detail]));
    expect(new Set(said.map(String)).size).toBe(1);
    expect(said[0]?.[0]).toBe(401);
  });

  it('stores passwords by scrypt, each with its own salt', async () => {
    const [one, two] = [await person(db(), 'One'), await person(db(), 'Two')];
    const rows = await db().select().from(accounts);
    const hashes = rows.filter((row) => [one.userId, two.userId].includes(row.userId));
    for (const row of hashes) expect(row.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  it('is slowed down for an address that tries many accounts', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) {
      // Refused before the costly hash, but counted.
      const body = { email: `guess ${n}`, password: 'x' };
      statuses.push((await postAuth('sign-in/email', body, from)).status);
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(400));
    expect(statuses[30]).toBe(429);
  });

  it('is refused to pages of other sites', async () => {
    const ann = await person(db(), 'Ann');
    const body = { email: ann.email, password };
    const reply = await postAuth('sign-in/email', body, { origin: 'https://evil.example' });
    expect(reply.status).toBe(403);
  });
});

describe('the secret that signs sessions', () => {
  it('must be there and long, or nothing starts', () => {
    const secret = process.env.TESSERA_SECRET;
    const anotherDatabase = () => ({}) as Database;
    try {
      delete process.env.TESSERA_SECRET;
      expect(() => auth(anotherDatabase())).toThrow('TESSERA_SECRET');
      process.env.TESSERA_SECRET = 'short';
      expect(() => auth(anotherDatabase())).toThrow('TESSERA_SECRET');
    } finally {
      process.env.TESSERA_SECRET = secret;
    }
  });
});

describe('everything else of the library', () => {
  it.each(['sign-up/email', 'update-user', 'delete-user', 'request-password-reset', 'get-session'])(
    'does not exist for the world: %s',
    async (path) => {
      const reply = await postAuth(path, { email: 'new@example.org', password, name: 'New' });
      expect(reply.status).toBe(404);
    },
  );
});

describe('signing out', () => {
  it('ends the session, also for somebody who kept the cookie', async () => {
    const ann = await person(db(), 'Ann');
    const browser = await browserOf(ann.email);
    expect((await postAuth('sign-out', {}, browser)).status).toBe(200);
    expect((await call(getMe, { headers: browser })).status).toBe(401);
  });
});

describe('changing the password', () => {
  it('needs the old one, and the old one then opens nothing', async () => {
    const ann = await person(db(), 'Ann');
    const browser = await browserOf(ann.email);
    const change = (currentPassword: string) =>
      postAuth(
        'change-password',
        { currentPassword, newPassword: 'a longer new secret', revokeOtherSessions: true },
        browser,
      );
    expect((await change('not the password')).status).toBe(400);
    expect((await change(password)).status).toBe(200);
    expect((await postAuth('sign-in/email', { email: ann.email, password })).status).toBe(401);
    await browserOf(ann.email, 'a longer new secret');
    const trail = await db().select().from(auditLog).where(eq(auditLog.actorId, ann.userId));
    expect(trail.map((row) => row.verb)).toEqual(['password.change']);
  });
});

describe('sessions of before', () => {
  it('are not carried over a sign-in: each has a token of its own, and one that was planted is not kept', async () => {
    const ann = await person(db(), 'Ann');
    const [one, two] = [await browserOf(ann.email), await browserOf(ann.email)];
    expect(one.cookie).not.toBe(two.cookie);
    const planted = { cookie: 'tessera.session_token=planted.by-somebody' };
    const reply = await postAuth('sign-in/email', { email: ann.email, password }, planted);
    expect(reply.headers.getSetCookie().join()).not.toContain('planted');
  });

  it('end with a new password, though the sender wishes otherwise', async () => {
    const ann = await person(db(), 'Ann');
    const [thief, browser] = [await browserOf(ann.email), await browserOf(ann.email)];
    const reply = await postAuth(
      'change-password',
      { currentPassword: password, newPassword: 'a longer new secret', revokeOtherSessions: false },
      browser,
    );
    expect(reply.status).toBe(200);
    for (const headers of [thief, browser]) expect((await call(getMe, { headers })).status).toBe(401);
    const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
    expect((await call(getMe, { headers: { cookie: cookie.join('; ') } })).status).toBe(200);
  });

  it('all end with a new password but the one that changed it, which gets another token', async () => {
    // The tests before have used up what one address may send in a minute.
    await db().delete(rateLimits);
    const ann = await person(db(), 'Ann');
    const bob = await browserOf((await person(db(), 'Bob')).email);
    const others = await Promise.all([1, 2, 3].map(() => browserOf(ann.email)));
    const browser = await browserOf(ann.email);
    const key = withKey(await keyOf(db(), ann, 'read'));
    const change = (currentPassword: string) =>
      postAuth('change-password', { currentPassword, newPassword: 'a longer new secret' }, browser);
    const statusOf = async (headers: Record<string, string>) => (await call(getMe, { headers })).status;

    // A wrong guess at the old one ends nothing.
    expect((await change('not the password')).status).toBe(400);
    expect(await Promise.all([browser, ...others].map(statusOf))).toEqual([200, 200, 200, 200]);

    const reply = await change(password);
    const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
    expect(await Promise.all([browser, ...others].map(statusOf))).toEqual([401, 401, 401, 401]);
    expect(await statusOf({ cookie: cookie.join('; ') })).toBe(200);
    expect(await db().select().from(sessions).where(eq(sessions.userId, ann.userId))).toHaveLength(1);
    // Nobody else is signed out. A key is no session: it is listed on the account page and ends there.
    expect(await statusOf(bob)).toBe(200);
    expect(await statusOf(key)).toBe(200);
    // The cookie of a known device opens nothing.
    const device = await postAuth('sign-in/email', { email: ann.email, password: 'a longer new secret' });
    const kept = device.headers.getSetCookie().find((line) => line.startsWith('tessera.device='));
    expect(await statusOf({ cookie: kept?.split(';')[0] ?? '' })).toBe(401);
  });

  it('end when somebody becomes an admin or ceases to be one', async () => {
    const [ann, ada] = [await person(db(), 'Ann'), await person(db(), 'Ada', true)];
    for (const isAdmin of [true, false]) {
      const browser = await browserOf(ann.email);
      await updateUser(db(), ada, ann.userId, { isAdmin });
      expect((await call(getMe, { headers: browser })).status).toBe(401);
    }
  });
});

describe('a forgotten password', () => {
  it('is set anew by somebody else, and whoever was signed in is signed out', async () => {
    const ann = await person(db(), 'Ann');
    const browser = await browserOf(ann.email);
    await setPassword(db(), tests, { userId: ann.userId, password: 'given by an admin' });
    expect((await call(getMe, { headers: browser })).status).toBe(401);
    await browserOf(ann.email, 'given by an admin');
  });
});

describe('a disabled person', () => {
  it('is shut out at once: session, key and sign-in', async () => {
    const ann = await person(db(), 'Ann');
    const browser = await browserOf(ann.email);
    expect((await call(getMe, { headers: browser })).status).toBe(200);
    await updateUser(db(), tests, ann.userId, { isDisabled: true });
    expect((await call(getMe, { headers: browser })).status).toBe(401);
    expect(await db().select().from(sessions).where(eq(sessions.userId, ann.userId))).toEqual([]);
  });
});
