import type { Database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { consume, type RateRule } from '@/lib/services/access/rate-limit';

/** A hand that clicks as fast as it can look stays below two a second; each costs the server a core. */
const pace: RateRule = { window: 60, max: 120 };

export async function requirePace(db: Database, { userId }: UserActor): Promise<void> {
  const { allowed, retryAfter } = await consume(db, `assist ${userId}`, pace);
  if (allowed) return;
  throw new TesseraError(
    'rate-limited',
    `Too many questions to the smart tools. Wait ${retryAfter} seconds.`,
    { code: 'smartBusy' },
  );
}
