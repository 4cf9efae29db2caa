import { like } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { rateLimits } from '@/db/schema';
import { postAuth } from '../api/call';
import { useDatabase } from '../support/database';
import { password, person } from './people';

const db = useDatabase();

interface From {
  address: string;
  cookie?: string;
}

const attempt = (email: string, secret: string, { address, cookie }: From) =>
  postAuth(
    'sign-in/email',
    { email, password: secret },
    { 'x-forwarded-for': address, ...(cookie && { cookie }) },
  );

/** Only what better-auth itself counts, per address and minute, is set back: a minute passes. */
const minutePasses = () => db().delete(rateLimits).where(like(rateLimits.key, '%/sign-in/email%'));

/** The cookie that the browser keeps after the session has ended. */
const deviceOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((line) => line.startsWith('tessera.device='));

/** Guesses from several addresses, as many as they like. */
async function attack(email: string, addresses: readonly string[], count: number) {
  const statuses: number[] = [];
  let last: Response | undefined;
  for (let n = 0; n < count; n++) {
    if (n % 25 === 0) await minutePasses();
    last = await attempt(email, `guess number ${n}`, { address: addresses[n % addresses.length] as string });
    statuses.push(last.status);
  }
  await minutePasses();
  return { guesses: statuses.filter((status) => status === 401).length, statuses, last };
}

describe('ten wrong passwords locked the owner out', () => {
  const bots = Array.from({ length: 8 }, (_, i) => `203.0.113.${i + 1}`);
  const home = { address: '198.51.100.20' };

  it('now 200 attempts from several addresses leave the owner’s device as it was', async () => {
    const ann = await person(db(), 'Ann');
    const cookie = deviceOf(await attempt(ann.email, password, home));
    expect(cookie).toBeDefined();
    const { guesses, statuses, last } = await attack(ann.email, bots, 200);
    expect(statuses).toContain(429);
    expect(guesses).toBe(80);
    expect(last?.status).toBe(429);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    // On the way, in a café: another address, and the device of before.
    expect((await attempt(ann.email, password, { address: '192.0.2.77', cookie })).status).toBe(200);
    // Even from an address of the attackers.
    expect((await attempt(ann.email, password, { address: bots[0] as string, cookie })).status).toBe(200);
  });

  it('nor are they, at an address that they have used, with a browser that forgot everything', async () => {
    const ann = await person(db(), 'Ann');
    await attempt(ann.email, password, home);
    await attack(ann.email, bots, 120);
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('what a crowd of addresses can guess in an hour is bounded', async () => {
    const ann = await person(db(), 'Ann');
    await attempt(ann.email, password, home);
    const crowd = Array.from({ length: 160 }, (_, i) => `203.0.${i}.5`);
    const { guesses } = await attack(ann.email, crowd, 160);
    expect(guesses).toBe(100);
    // Also for addresses that come later, and for the right password from one of them.
    const late = await attempt(ann.email, password, { address: '203.0.200.1' });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('addresses of one IPv6 subscriber count as one', async () => {
    const ann = await person(db(), 'Ann');
    const addresses = Array.from({ length: 30 }, (_, i) => `2001:db8:1:2::${i + 1}`);
    const { guesses } = await attack(ann.email, addresses, 30);
    expect(guesses).toBe(10);
  });

  it('an account that does not exist answers in the same way', async () => {
    const { guesses, last } = await attack('nobody@example.org', [bots[0] as string], 12);
    expect(guesses).toBe(10);
    expect(last?.status).toBe(429);
  });

  it('a device of one account is none of another, and a made-up one none at all', async () => {
    const [ann, bob] = [await person(db(), 'Ann'), await person(db(), 'Bob')];
    const cookie = deviceOf(await attempt(bob.email, password, home)) as string;
    const from = { address: bots[0] as string };
    for (let n = 0; n < 10; n++) await attempt(ann.email, 'wrong password', { ...from, cookie });
    expect((await attempt(ann.email, 'wrong password', { ...from, cookie })).status).toBe(429);
    const forged = cookie.replace(/\.[^.]*$/, `.${'A'.repeat(43)}%3D`);
    expect((await attempt(bob.email, password, { ...from, cookie: forged })).status).toBe(200);
    for (let n = 0; n < 10; n++) await attempt(bob.email, 'wrong password', { ...from, cookie: forged });
    expect((await attempt(bob.email, 'wrong password', { ...from, cookie: forged })).status).toBe(429);
    expect((await attempt(bob.email, password, { ...from, cookie })).status).toBe(200);
  });

  it('a stolen device guesses no more than any other', async () => {
    const ann = await person(db(), 'Ann');
    const cookie = deviceOf(await attempt(ann.email, password, home));
    const statuses: number[] = [];
    for (let n = 0; n < 14; n++)
      statuses.push((await attempt(ann.email, 'wrong password', { address: `192.0.2.${n}`, cookie })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    // The owner goes on at another device.
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('the right password takes the wrong ones before it back', async () => {
    const ann = await person(db(), 'Ann');
    for (let round = 0; round < 3; round++) {
      await minutePasses();
      for (let n = 0; n < 9; n++) await attempt(ann.email, 'wrong password', home);
      expect((await attempt(ann.email, password, home)).status).toBe(200);
    }
  });

  it('two web processes count together', async () => {
    const ann = await person(db(), 'Ann');
    const statuses = await Promise.all(
      Array.from({ length: 14 }, () => attempt(ann.email, 'wrong password', { address: bots[0] as string })),
    );
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  it('the limits name nobody', async () => {
    const ann = await person(db(), 'Ann');
    await attempt(ann.email, 'wrong password', home);
    const keys = (await db().select().from(rateLimits)).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain(ann.email);
  });
});
