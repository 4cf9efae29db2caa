import { describe, expect, it } from 'vitest';
import { takeToken } from '@/app/api/_http/bucket';
import type { UserActor } from '@/lib/services/access';

const request = (address: string) =>
  new Request('http://localhost:3000/', { headers: { 'x-forwarded-for': address } });
const ann = { userId: 'ann' } as UserActor;

const taken = (from: Request, actor: UserActor | null, now: number) => {
  let n = 0;
  try {
    for (; n < 10_000; n++) takeToken(from, actor, now);
  } catch (error) {
    return {
      n,
      retryAfter: (error as { extra: { headers: Record<string, string> } }).extra.headers['retry-after'],
    };
  }
  return { n, retryAfter: null };
};

describe('the brake on requests', () => {
  it('lets a burst through, then asks to wait, then lets go on at the steady rate', () => {
    const from = request('192.0.2.1');
    expect(taken(from, null, 0)).toEqual({ n: 60, retryAfter: '1' });
    expect(taken(from, null, 5_000).n).toBe(10);
    expect(taken(from, null, 1_000_000).n).toBe(60);
  });

  it('counts strangers by address and people by name, wherever they are', () => {
    expect(taken(request('192.0.2.2'), null, 0).n).toBe(60);
    expect(taken(request('192.0.2.3'), null, 0).n).toBe(60);
    expect(taken(request('192.0.2.3'), ann, 0).n).toBe(600);
    expect(taken(request('192.0.2.4'), ann, 0).n).toBe(0);
  });

  it('counts each key by itself too, so that a script leaves its owner’s pages alone', () => {
    const key = (credentialId: string) =>
      ({ userId: 'ben', via: 'key', credentialId }) as unknown as UserActor;
    const from = request('192.0.2.9');
    expect(taken(from, key('one'), 0).n).toBe(300);
    expect(taken(from, { userId: 'ben' } as UserActor, 0).n).toBe(300);
    expect(taken(from, key('two'), 0).n).toBe(0);
  });

  it('remembers no more addresses than it can hold', () => {
    for (let n = 0; n < 12_000; n++) takeToken(request(`2001:db8::${n.toString(16)}`), null, 0);
    const held = (globalThis as { tesseraBuckets?: Map<string, unknown> }).tesseraBuckets;
    expect(held?.size).toBe(10_000);
  });
});
