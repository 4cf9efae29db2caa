import type { IncomingMessage } from 'node:http';

const header = 'x-forwarded-for';

/** 10/8, 172.16/12, 192.168/16 and this machine: where a proxy of ours can stand. */
const nearby = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/i;

const peerOf = (request: IncomingMessage): string =>
  (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '');

/** Whether a request comes from where a proxy of ours can stand, and is believed what only a proxy can know. */
export const isFromNearby = (request: IncomingMessage): boolean => nearby.test(peerOf(request));

/**
 * Replaces what a client says about its own address by the address it really has. Only a peer on this
 * machine or on a private network is believed to be a proxy that speaks for somebody else.
 */
export function stampAddress(request: IncomingMessage): void {
  const peer = peerOf(request);
  const said = request.headers[header];
  const isProxied = nearby.test(peer) && typeof said === 'string' && said !== '';
  request.headers[header] = isProxied ? (said.split(',').at(-1) as string).trim() : peer;
}

/** The address written by `stampAddress`: good for limits and lists of sessions, never for rights. */
export function clientAddress(headers: Headers): string {
  const address = headers.get(header)?.split(',').at(-1)?.trim() ?? '';
  return address.slice(0, 64) || 'unknown';
}
