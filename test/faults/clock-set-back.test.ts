import { beforeEach, describe, expect, it } from 'vitest';
import { forgetVisitors, takeToken } from '@/app/api/_http/bucket';
import { consume } from '@/lib/services/access/rate-limit';
import { isSignedBlobUrl, signBlobUrl } from '@/lib/services/storage';
import { useDatabase } from '../support/database';

const db = useDatabase();
const HOUR_MS = 3_600_000;
const now = Date.UTC(2026, 10, 18, 12, 30);

beforeEach(() => forgetVisitors());

describe('a clock that is set back by an hour', () => {
  it('does not refuse everybody for an hour (429 until the old time was reached again)', () => {
    const request = new Request('http://localhost/api/v1/me');
    takeToken(request, null, now);
    expect(() => takeToken(request, null, now - HOUR_MS)).not.toThrow();
  });

  it('does not lock a sign-in for an hour', async () => {
    const rule = { window: 60, max: 3 };
    for (let n = 0; n < 4; n++) await consume(db(), 'sign-in', rule, now);
    expect(await consume(db(), 'sign-in', rule, now)).toMatchObject({ allowed: false });
    expect(await consume(db(), 'sign-in', rule, now - HOUR_MS)).toMatchObject({ allowed: true });
    // The limit counts on from there.
    for (let n = 0; n < 3; n++) await consume(db(), 'sign-in', rule, now - HOUR_MS);
    expect(await consume(db(), 'sign-in', rule, now - HOUR_MS)).toMatchObject({ allowed: false });
  });

  it('leaves the limit alone when two web servers differ by a few seconds', async () => {
    const rule = { window: 60, max: 3 };
    for (let n = 0; n < 4; n++) await consume(db(), 'two servers', rule, now + (n % 2) * 5000);
    expect(await consume(db(), 'two servers', rule, now)).toMatchObject({ allowed: false });
  });

  it('leaves an address that was signed an hour ahead valid for an hour more, not for good', () => {
    const secret = 'a secret of thirty-two characters';
    const url = new URL(
      signBlobUrl('0'.repeat(64), { now: new Date(now + HOUR_MS), secret }),
      'http://localhost',
    );
    const isValidAt = (moment: number) => isSignedBlobUrl(url, { now: new Date(moment), secret });
    expect(isValidAt(now)).toBe(true);
    expect(isValidAt(now + 3 * HOUR_MS)).toBe(false);
  });
});
