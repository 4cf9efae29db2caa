import type { Config } from '.';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (hostname: string): boolean =>
  loopback.includes(hostname === '::1' ? '[::1]' : hostname);

/** Where our own pages are served from. The names of this machine stand for each other. */
export function trustedOrigins(config: Pick<Config, 'url'>): string[] {
  const url = new URL(config.url);
  if (!isLoopback(url.hostname)) return [url.origin];
  const port = url.port ? `:${url.port}` : '';
  return loopback.map((hostname) => `${url.protocol}//${hostname}${port}`);
}

/**
 * Reports whether one of our own pages sent a request that changes something, or null where the request does not say.
 * Browsers name the origin of every such request; older ones say at least whether it was their own site.
 */
export function isFromOwnPage(
  { origin, site }: { origin: string | null; site: string | null },
  config: Pick<Config, 'url'>,
): boolean | null {
  if (origin !== null) return trustedOrigins(config).includes(origin);
  return site === null ? null : site === 'same-origin';
}
