import { eq, lt, sql } from 'drizzle-orm';
import { type Db, newId, tables } from '@/db';

const { rateLimits } = tables;

export interface RateRule {
  /** Seconds. */
  window: number;
  max: number;
}

const forgetAfterMs = 24 * 60 * 60 * 1000;
/** How far the clocks of two web servers may be apart without resetting each other's windows. */
const SKEW_MS = 60_000;

/** Counts one attempt in a fixed window that all web processes share: one atomic statement. */
export async function consume(db: Db, key: string, rule: RateRule, now = Date.now()) {
  const windowMs = rule.window * 1000;
  // A window that begins in the future was made before the clock was set back: it would last until that moment.
  const isOver = sql`(${rateLimits.lastRequest} <= ${now - windowMs} or ${rateLimits.lastRequest} > ${now + SKEW_MS})`;
  const [row] = await db
    .insert(rateLimits)
    .values({ id: newId(), key, count: 1, lastRequest: now })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        // Stops counting just above the limit, so that a flood cannot overflow the column.
        count: sql`case when ${isOver} then 1 else least(${rateLimits.count} + 1, ${rule.max + 1}) end`,
        lastRequest: sql`case when ${isOver} then ${now} else ${rateLimits.lastRequest} end`,
      },
    })
    .returning({ count: rateLimits.count, since: rateLimits.lastRequest });
  const { count, since } = row as { count: number; since: number };
  if (count === 1) await db.delete(rateLimits).where(lt(rateLimits.lastRequest, now - forgetAfterMs));
  const allowed = count <= rule.max;
  return { allowed, retryAfter: allowed ? null : Math.max(1, Math.ceil((since + windowMs - now) / 1000)) };
}

/** Takes back one attempt. */
export async function refund(db: Db, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ count: sql`greatest(${rateLimits.count} - 1, 0)` })
    .where(eq(rateLimits.key, key));
}

export async function forgive(db: Db, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key));
}
