import { BlockList, isIP } from 'node:net';
import type { Config } from '.';

/** An origin and nothing else: no path, no list, no wildcard. */
export const frameOrigin = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

/** The pages on which people of a marketplace arrive, each with the setting that names the marketplace's origin. */
const arrivals: ReadonlyMap<string, string> = new Map([['/join/prolific', 'TESSERA_PROLIFIC_FRAME_ORIGIN']]);

/** Who may show a page inside one of their own; null, which is the rule: nobody. */
export function frameAncestorOf(
  pathname: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | null {
  const setting = arrivals.get(pathname);
  const origin = setting && environment[setting];
  return origin && frameOrigin.test(origin) ? origin : null;
}

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

/** Networks that a setting can name by a word. */
const networks: Record<string, readonly string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['127.0.0.0/8', '::1/128', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Reads `TESSERA_TRUSTED_PROXIES`: words, addresses and networks, separated by commas; null if one is none of these. */
export function readProxies(setting: string): BlockList | null {
  const list = new BlockList();
  const entries = setting.split(',').map((entry) => entry.trim());
  for (const entry of entries.flatMap((each) => networks[each] ?? each)) {
    const [address = '', bits, ...rest] = entry.split('/');
    const version = isIP(address);
    const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits);
    const isGood = version !== 0 && rest.length === 0 && /^\d*$/.test(bits ?? '') && bits !== '';
    if (!isGood || prefix > (version === 6 ? 128 : 32)) return null;
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
