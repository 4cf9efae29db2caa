export const requestIdHeader = 'x-request-id';

/** A caller's own id is kept when it is harmless in logs and headers. */
export const cleanRequestId = (given: string | null): string | null =>
  given !== null && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : null;

/** The path of the page being rendered; proxy.ts writes it, over whatever a client sent. */
export const pathHeader = 'x-tessera-path';
