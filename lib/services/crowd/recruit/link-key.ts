import { createHmac, timingSafeEqual } from 'node:crypto';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';

/**
 * The secret in the link of one study. It keeps out strangers who merely guess a study and a participant; everybody
 * who was sent by the study knows it, so it proves nothing about which participant somebody is (see `arrive`).
 */
export function linkKey(study: { recruiter: string; externalId: string }): string {
  const { TESSERA_SECRET: secret } = readConfig();
  if (!secret)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  return createHmac('sha256', secret)
    .update(`recruitment\n${study.recruiter}\n${study.externalId}`)
    .digest('base64url');
}

export function isLinkKey(study: { recruiter: string; externalId: string }, given: string | null): boolean {
  const right = Buffer.from(linkKey(study));
  const shown = Buffer.from(given ?? '');
  return shown.length === right.length && timingSafeEqual(shown, right);
}
