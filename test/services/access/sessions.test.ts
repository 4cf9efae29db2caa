import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { endOtherSessions, endSession, getMe, listSessions } from '@/app/api/v1/account';
import { newId } from '@/db';
import { sessions } from '@/db/schema';
import { browserOf, call } from '../../app/api/call';
import { useDatabase } from '../../support/database';
import { person } from './people';

const db = useDatabase();

describe('sessions', () => {
  it('are listed without their tokens, the present one marked', async () => {
    const ann = await person(db(), 'Ann');
    await browserOf(ann.email);
    const here = await browserOf(ann.email);
    const { json } = await call(listSessions, { headers: here });
    expect(json.items).toHaveLength(2);
    expect(json.items.filter((item: { isCurrent: boolean }) => item.isCurrent)).toHaveLength(1);
    for (const row of await db().select().from(sessions))
      expect(JSON.stringify(json)).not.toContain(row.token);
  });

  it('end one by one, or all but the one that asks', async () => {
    const ann = await person(db(), 'Ann');
    const [phone, tablet, here] = [
      await browserOf(ann.email),
      await browserOf(ann.email),
      await browserOf(ann.email),
    ];
    const listed = await call(listSessions, { headers: phone });
    const phoneId = listed.json.items.find((item: { isCurrent: boolean }) => item.isCurrent).id;
    expect((await call(endSession, { headers: here, params: { session: phoneId } })).status).toBe(204);
    expect((await call(getMe, { headers: phone })).status).toBe(401);
    expect((await call(endOtherSessions, { headers: here })).json).toEqual({ ended: 1 });
    expect((await call(getMe, { headers: tablet })).status).toBe(401);
    expect((await call(getMe, { headers: here })).status).toBe(200);
  });

  it('of other people cannot be ended, and look like none', async () => {
    const [ann, bob] = [await person(db(), 'Ann'), await person(db(), 'Bob')];
    const his = await browserOf(bob.email);
    const [row] = await db().select().from(sessions).where(eq(sessions.userId, bob.userId));
    const headers = await browserOf(ann.email);
    const tried = await call(endSession, { headers, params: { session: row?.id as string } });
    const none = await call(endSession, { headers, params: { session: newId() } });
    expect([tried.status, tried.json.detail]).toEqual([404, none.json.detail]);
    expect((await call(getMe, { headers: his })).status).toBe(200);
  });

  it('cannot be forged by a cookie with a known token but without our signature', async () => {
    const ann = await person(db(), 'Ann');
    await browserOf(ann.email);
    const [row] = await db().select().from(sessions).where(eq(sessions.userId, ann.userId));
    for (const value of [row?.token, `${row?.token}.AAAA`]) {
      const reply = await call(getMe, { headers: { cookie: `tessera.session_token=${value}` } });
      expect(reply.status).toBe(401);
    }
  });
});
