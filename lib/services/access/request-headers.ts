import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { readProxies } from '@/lib/config/network';

export const requestIdHeader = 'x-request-id';

/** A caller's own id is kept when it is harmless in logs and headers. */
export const cleanRequestId = (given: string | null): string | null =>
  given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : null;

/** The path of the page being rendered; proxy.ts writes it, over whatever a client sent. */
export const pathHeader = 'x-tessera-path';

const header = 'x-forwarded-for';

const lists = new Map<string, BlockList>();

function isProxy(address: string): boolean {
  // Checked when the process starts; read here for every request.
  const setting = process.env.TESSERA_TRUSTED_PROXIES || 'private';
  const list = lists.get(setting) ?? readProxies(setting) ?? new BlockList();
  lists.set(setting, list);
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

const peerOf = (request: IncomingMessage): string =>
  (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');

/** Reports whether a request comes from a trusted proxy, whose forwarding headers are used. */
export const isFromNearby = (request: IncomingMessage): boolean => isProxy(peerOf(request));

/**
 * Replaces the forwarded address by the address of the peer, unless the peer is a trusted proxy
 * (`TESSERA_TRUSTED_PROXIES`).
 */
export function stampAddress(request: IncomingMessage): void {
  const peer = peerOf(request);
  const said = request.headers[header];
  const isProxied = isProxy(peer) && typeof said === 'string' && said !== '';
  request.headers[header] = isProxied ? (said.split(',').at(-1) as string).trim() : peer;
}

/** The address written by `stampAddress`: good for limits and lists of sessions, never for rights. */
export function clientAddress(headers: Headers): string {
  const address = headers.get(header)?.split(',').at(-1)?.trim() ?? '';
  return address.slice(0, 64) || 'unknown';
}

/** Groups the addresses that one subscriber has: all of a /64 in IPv6, one in IPv4. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
