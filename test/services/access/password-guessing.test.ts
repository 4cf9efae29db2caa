import { describe, expect, it } from 'vitest';
import { rateLimits } from '@/db/schema';
import { countAttempt, forgiveAttempt } from '@/lib/services/access/password-guard';
import { postAuth } from '../../app/api/call';
import { useDatabase } from '../../support/database';
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

/** The cookie that the browser keeps after the session has ended. */
const deviceOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((line) => line.startsWith('tessera.device='));

/** Guesses from several addresses, as many as they like; without the costly hash, which comes after the counting. */
async function attack(email: string, addresses: readonly string[], count: number) {
  const waits: (number | null)[] = [];
  for (let n = 0; n < count; n++) {
    const address = addresses[n % addresses.length] as string;
    waits.push((await countAttempt(db(), { email, address, device: null })).retryAfter);
  }
  return { guesses: waits.filter((wait) => wait === null).length, waits };
}

describe('ten wrong passwords locked the owner out', () => {
  const bots = Array.from({ length: 8 }, (_, i) => `203.0.113.${i + 1}`);
  const home = { address: '198.51.100.20' };

  it('now 200 attempts from several addresses leave the owner’s device as it was', async () => {
    const ann = await person(db(), 'Ann');
    const cookie = deviceOf(await attempt(ann.email, password, home));
    expect(cookie).toBeDefined();
    const { guesses, waits } = await attack(ann.email, bots, 200);
    expect(guesses).toBe(80);
    expect(waits.at(-1)).toBeGreaterThan(0);
    const bot = await attempt(ann.email, 'another guess', { address: bots[3] as string });
    expect(bot.status).toBe(429);
    expect(Number(bot.headers.get('retry-after'))).toBeGreaterThan(0);
    // On the way, in a café: another address, and the device of before.
    expect((await attempt(ann.email, password, { address: '192.0.2.77', cookie })).status).toBe(200);
    // Even from an address of the attackers.
    expect((await attempt(ann.email, password, { address: bots[0] as string, cookie })).status).toBe(200);
  });

  it('nor are they, at an address that they have used, with a browser that forgot everything', async () => {
    const ann = await person(db(), 'Ann');
    await attempt(ann.email, password, home);
    const crowd = Array.from({ length: 120 }, (_, i) => `203.0.${i}.5`);
    await attack(ann.email, crowd, 120);
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('what a crowd of addresses can guess in an hour is bounded', async () => {
    const ann = await person(db(), 'Ann');
    await attempt(ann.email, password, home);
    const crowd = Array.from({ length: 200 }, (_, i) => `203.0.${i}.5`);
    expect((await attack(ann.email, crowd, 400)).guesses).toBe(100);
    // Also for addresses that come later, and for the right password from one of them.
    const late = await attempt(ann.email, password, { address: '203.0.250.1' });
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60);
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('addresses of one IPv6 subscriber count as one', async () => {
    const addresses = Array.from({ length: 30 }, (_, i) => `2001:db8:1:2::${i + 1}`);
    expect((await attack('six@example.org', addresses, 30)).guesses).toBe(10);
  });

  it('an account that does not exist is counted in the same way', async () => {
    expect((await attack('nobody@example.org', [bots[0] as string], 12)).guesses).toBe(10);
    expect((await attack('NOBODY@example.org ', [bots[0] as string], 3)).guesses).toBe(0);
  });

  it('a device of one account is none of another, and a made-up one none at all', async () => {
    const [ann, bob] = [await person(db(), 'Ann'), await person(db(), 'Bob')];
    const cookie = deviceOf(await attempt(bob.email, password, home)) as string;
    const address = bots[0] as string;
    await attack(ann.email, [address], 10);
    expect((await attempt(ann.email, password, { address, cookie })).status).toBe(429);
    await attack(bob.email, [address], 10);
    const forged = cookie.replace(/\.[^.]*$/, `.${'A'.repeat(43)}%3D`);
    expect(forged).not.toBe(cookie);
    expect((await attempt(bob.email, password, { address, cookie: forged })).status).toBe(429);
    expect((await attempt(bob.email, password, { address, cookie })).status).toBe(200);
  });

  it('a stolen device guesses no more than any other', async () => {
    const ann = await person(db(), 'Ann');
    const cookie = deviceOf(await attempt(ann.email, password, home));
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await attempt(ann.email, 'wrong password', { address: `192.0.2.${n}`, cookie })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    // The owner goes on at another device.
    expect((await attempt(ann.email, password, home)).status).toBe(200);
  });

  it('the right password takes the wrong ones before it back', async () => {
    const from = { email: 'right@example.org', ...home, device: null };
    for (let round = 0; round < 3; round++) {
      expect((await attack(from.email, [from.address], 9)).guesses).toBe(9);
      await forgiveAttempt(db(), from);
    }
    // For the account they still count, but for the three: the others may have been guesses.
    const crowd = Array.from({ length: 120 }, (_, i) => `203.0.${i}.5`);
    expect((await attack(from.email, crowd, 120)).guesses).toBe(100 - 27 + 3);
  });

  it('web processes count together: attempts at the same moment are no way around', async () => {
    const from = { email: 'moment@example.org', address: bots[0] as string, device: null };
    const waits = await Promise.all(Array.from({ length: 30 }, () => countAttempt(db(), from)));
    expect(waits.filter(({ retryAfter }) => retryAfter === null)).toHaveLength(10);
  });

  it('the limits name nobody', async () => {
    await attack('ann@example.org', [home.address], 1);
    const keys = (await db().select().from(rateLimits)).map(({ key }) => key);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys.join()).not.toContain('ann@');
  });
});
