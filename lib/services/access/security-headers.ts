/** Sonner writes its style sheet into the page by itself; this is the hash of that one sheet. */
export const sonnerSheet = 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY=';
/** … and of the empty one as which it enters the page. */
const emptySheet = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';

/**
 * Scripts run only with the nonce of this very answer, or when such a script loads them. Style attributes
 * are allowed, because charts and canvases place things by them; style sheets are not. WebAssembly may be
 * compiled, which the mask code does from bytes of its own; that lets no string become a script.
 * Development loosens what its tools need: evaluated code, injected style sheets, a socket.
 */
export function contentSecurityPolicy(
  nonce: string,
  isDevelopment: boolean,
  frameAncestors = "'none'",
): string {
  const directives: Record<string, string> = {
    'default-src': "'self'",
    'script-src': `'self' 'nonce-${nonce}' 'strict-dynamic' 'wasm-unsafe-eval'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    'script-src-attr': "'none'",
    'style-src': "'self'",
    'style-src-elem': isDevelopment
      ? "'self' 'unsafe-inline'"
      : `'self' 'nonce-${nonce}' '${sonnerSheet}' '${emptySheet}'`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' blob: data:",
    'font-src': "'self'",
    'connect-src': isDevelopment ? "'self' ws:" : "'self'",
    'worker-src': "'self' blob:",
    'frame-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': frameAncestors,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** What every page says besides its policy for content. */
export const pageHeaders: Record<string, string> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Two years. Only when the address is https: on plain http a browser ignores it anyway. */
export const strictTransport = 'max-age=63072000';
