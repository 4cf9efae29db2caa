import type { UserActor } from '@/lib/services/access';
import { clientAddress } from '@/lib/services/access/request-headers';
import { Refusal } from './problem';

interface Bucket {
  tokens: number;
  at: number;
}

interface Rule {
  /** Requests that may come at once. */
  burst: number;
  /** Requests per second that may go on for ever. */
  rate: number;
}

/** A page of thumbnails and an annotator that saves as one draws must never notice the limit. */
const forPeople: Rule = { burst: 600, rate: 100 };
const forStrangers: Rule = { burst: 60, rate: 2 };
/** Half: a script that runs away must not keep its owner's own pages from loading. */
const forKeys: Rule = { burst: 300, rate: 50 };

/** Enough for every address that matters; the oldest are forgotten first. */
const MAX_BUCKETS = 10_000;

const held = globalThis as { tesseraBuckets?: Map<string, Bucket> };

/**
 * A brake on runaway scripts, per person, for each key of theirs, or, for strangers, per address. It lives in the memory of one web
 * process: with N processes the limit is N times as high. Sign-in has its own limit, in the database.
 */
export function takeToken(request: Request, actor: UserActor | null, now = Date.now()): void {
  const ofKey = actor?.via === 'key' ? take(`key ${actor.credentialId}`, forKeys, now) : 0;
  const name = actor ? `user ${actor.userId}` : `address ${clientAddress(request.headers)}`;
  const wait = ofKey || take(name, actor ? forPeople : forStrangers, now);
  if (wait === 0) return;
  throw new Refusal(429, 'Too many requests: slow down.', { headers: { 'retry-after': String(wait) } });
}

/** Seconds to wait, or 0 when the request may pass. */
function take(name: string, rule: Rule, now: number): number {
  held.tesseraBuckets ??= new Map();
  const buckets = held.tesseraBuckets;
  const last = buckets.get(name);
  // A clock that was set back must not take tokens away: everybody would be refused for as long as it went back.
  const passedMs = last ? Math.max(0, now - last.at) : 0;
  const grown = last ? last.tokens + (passedMs / 1000) * rule.rate : rule.burst;
  const tokens = Math.min(rule.burst, grown);
  buckets.delete(name);
  buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
  if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string);
  return tokens >= 1 ? 0 : Math.max(1, Math.ceil((1 - tokens) / rule.rate));
}

/** Who asked how often so far: tests of one process are strangers from one address. */
export function forgetVisitors(): void {
  held.tesseraBuckets?.clear();
}
