'use client';

/**
 * Radix locks scrolling by a style element that it writes into the page. The content policy lets only styles
 * with this answer's nonce through; the library behind Radix looks for the nonce under webpack's name.
 */
export function StyleNonce() {
  if (typeof document !== 'undefined') {
    const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
    Object.assign(globalThis, { __webpack_nonce__: nonce });
  }
  return null;
}
