import type { Config } from '../config';

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
