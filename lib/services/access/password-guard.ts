import { createHash, randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { consume, forgive, type RateRule, refund } from './rate-limit';
import { addressGroup } from './request-headers';

const { sessions, users } = tables;

const minutes = 60;
/** Wrong passwords for one account from one device or address. People who try to remember theirs need fewer. */
const perOrigin: RateRule = { window: 10 * minutes, max: 10 };
/**
 * Wrong passwords for one account from all addresses together that the account was never used from. It limits a botnet
 * to 2,400 guesses a day. Passwords have at least ten characters.
 */
const perAccountFromElsewhere: RateRule = { window: 60 * minutes, max: 100 };

/** One year, in seconds. After that the device counts as unknown. */
export const deviceCookie = { name: 'device', maxAge: 365 * 24 * 60 * minutes } as const;

export interface Attempt {
  email: unknown;
  address: string;
  /** The content of the signed cookie of an earlier sign-in. */
  device: string | null;
}

/** Hashes the account, so that cookies and rate limit keys contain no e-mail address. */
const accountOf = (email: unknown) =>
  createHash('sha256')
    .update(`account ${String(email).trim().toLowerCase()}`)
    .digest('base64url')
    .slice(0, 22);

/** Makes the content of the cookie that a device keeps after a sign-in. Only rate limits use it. */
export const newDevice = (email: unknown): string =>
  `${accountOf(email)}.${randomBytes(9).toString('base64url')}`;

export interface Counted {
  /** Seconds to wait; null when the attempt may go on. */
  retryAfter: number | null;
}

/**
 * Counts an attempt before its password is checked. An attacker slows down their own address and all unknown addresses
 * together. The owner's devices and addresses have separate counters, so an attacker cannot lock the owner out.
 */
export async function countAttempt(db: Db, attempt: Attempt): Promise<Counted> {
  const { origin, account } = countersOf(attempt);
  const own = await consume(db, origin, perOrigin);
  // A refused attempt is no guess, so it does not count against the limit of unknown addresses.
  if (!own.allowed || hasDevice(attempt) || (await isKnownAddress(db, attempt)))
    return { retryAfter: own.retryAfter };
  return { retryAfter: (await consume(db, account, perAccountFromElsewhere)).retryAfter };
}

/** Takes back the attempt after a successful sign-in. */
export async function forgiveAttempt(db: Db, attempt: Attempt): Promise<void> {
  const { origin, account } = countersOf(attempt);
  await forgive(db, origin);
  if (!hasDevice(attempt)) await refund(db, account);
}

const hasDevice = ({ device, email }: Attempt): boolean => device?.split('.')[0] === accountOf(email);

function countersOf(attempt: Attempt): { origin: string; account: string } {
  const account = accountOf(attempt.email);
  const origin = hasDevice(attempt) ? `device ${attempt.device}` : `address ${addressGroup(attempt.address)}`;
  return { origin: `password|${account}|${origin}`, account: `password|${account}` };
}

/** Reports whether the account has a session from this address, ended by time or not. */
async function isKnownAddress(db: Db, { email, address }: Attempt): Promise<boolean> {
  const rows = await db
    .selectDistinct({ address: sessions.ipAddress })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(users.email, sql`lower(trim(${String(email)}))`))
    .limit(100);
  const group = addressGroup(address);
  return rows.some((row) => row.address !== null && addressGroup(row.address) === group);
}
