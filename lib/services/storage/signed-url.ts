import { createHmac, timingSafeEqual } from 'node:crypto';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { isSha256 } from './blobs';

/** Links are valid for one to two hours and stay the same within an hour, so that browsers can cache. */
const step = 60 * 60;

export interface SignOptions {
  now?: Date;
  secret?: string;
}

/** Creates a signed URL that gives access to a blob without a cookie until it expires. */
export function signBlobUrl(sha256: string, options: SignOptions = {}): string {
  const seconds = Math.floor((options.now ?? new Date()).getTime() / 1000);
  const expires = (Math.floor(seconds / step) + 2) * step;
  const signature = signatureOf(sha256, expires, options.secret ?? ownSecret());
  return `/api/blobs/${sha256}?expires=${expires}&signature=${signature}`;
}

export function isSignedBlobUrl(url: URL, options: SignOptions = {}): boolean {
  const sha256 = url.pathname.split('/').at(-1) ?? '';
  const expires = Number(url.searchParams.get('expires'));
  const given = Buffer.from(url.searchParams.get('signature') ?? '');
  if (!isSha256(sha256) || !Number.isSafeInteger(expires)) return false;
  const right = Buffer.from(signatureOf(sha256, expires, options.secret ?? ownSecret()));
  if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
  return (options.now ?? new Date()).getTime() < expires * 1000;
}

/** The purpose is signed too, so that signatures for other purposes are not valid here. */
const signatureOf = (sha256: string, expires: number, secret: string): string =>
  createHmac('sha256', secret).update(`blob\n${sha256}\n${expires}`).digest('base64url');

let remembered: string | undefined;

function ownSecret(): string {
  remembered ??= readConfig().TESSERA_SECRET;
  if (!remembered)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  return remembered;
}
