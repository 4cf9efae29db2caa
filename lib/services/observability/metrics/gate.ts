import { timingSafeEqual } from 'node:crypto';
import { readConfig } from '@/lib/config';
import { isLoopback } from '@/lib/config/network';

/** What a request tells of itself: its Host and its Authorization. */
export interface Caller {
  host: string | null | undefined;
  authorization: string | null | undefined;
}

/** Open on an instance that nobody but this machine can reach, and to whoever has the token for metrics. */
export function mayReadMetrics(caller: Caller): boolean {
  return isPrivate(caller) || hasToken(caller);
}

/**
 * Judged by where we listen and what we are called, never by what a request says of its sender; the name
 * that was asked for is looked at too, so that a page of another site cannot come in by a rebound name.
 */
function isPrivate({ host }: Caller): boolean {
  const { HOST, url } = readConfig();
  const asked = host?.replace(/:\d+$/, '') ?? '';
  return isLoopback(HOST) && isLoopback(new URL(url).hostname) && isLoopback(asked);
}

function hasToken({ authorization }: Caller): boolean {
  const wanted = readConfig().TESSERA_METRICS_TOKEN;
  if (!wanted || !authorization) return false;
  const [right, given] = [Buffer.from(`Bearer ${wanted}`), Buffer.from(authorization)];
  return right.length === given.length && timingSafeEqual(right, given);
}
