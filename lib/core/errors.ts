/**
 * Failures that are reported to the caller. Edges turn `kind` into an HTTP status or an
 * exit code; `message` is written for the person who reads it and says what to do next.
 */
export const errorKinds = {
  invalid: 400,
  unauthenticated: 401,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'rate-limited': 429,
  unavailable: 503,
} as const;

export type ErrorKind = keyof typeof errorKinds;

export class TesseraError extends Error {
  override readonly name = 'TesseraError';

  constructor(
    readonly kind: ErrorKind,
    message: string,
    readonly detail?: Record<string, unknown>,
  ) {
    super(message);
  }

  get status(): number {
    return errorKinds[this.kind];
  }
}

/** Missing and forbidden look the same, so that nobody learns what exists by asking. */
export const notFound = (what: string) => new TesseraError('not-found', `There is no such ${what}.`);

export const invalid = (message: string, detail?: Record<string, unknown>) =>
  new TesseraError('invalid', message, detail);

export const conflict = (message: string, detail?: Record<string, unknown>) =>
  new TesseraError('conflict', message, detail);
