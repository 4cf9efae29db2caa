import { readConfig } from '@/lib/config';
import { isFromOwnPage } from '@/lib/config/network';
import { keyIn } from '@/lib/services/access/actor-from-request';
import { Refusal } from './problem';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser adds cookies by itself, so a request that changes something must prove that one of our own
 * pages sent it. A key is never sent by itself: a request that shows one needs no such proof.
 */
export function requireOwnOrigin(request: Request): void {
  if (harmless.has(request.method) || keyIn(request.headers) !== null) return;
  const said = {
    origin: request.headers.get('origin'),
    site: request.headers.get('sec-fetch-site'),
  };
  const isOwn = isFromOwnPage(said, readConfig()) ?? !request.headers.has('cookie');
  if (!isOwn) throw new Refusal(403, 'The request comes from another site.');
}
