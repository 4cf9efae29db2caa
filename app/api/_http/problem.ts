import type { z } from 'zod';
import { isCollision, isDatabaseGone, isDiskFull } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { log } from '@/lib/services/observability/log';

/** A refusal by the frame itself, before any service is asked. */
export class Refusal extends Error {
  constructor(
    readonly status: 400 | 401 | 403 | 405 | 413 | 415 | 429,
    message: string,
    readonly extra: { headers?: Record<string, string>; errors?: FieldError[] } = {},
  ) {
    super(message);
  }
}

export interface FieldError {
  path: string;
  message: string;
}

const titles: Record<number, string> = {
  400: 'The request is not valid',
  401: 'Sign in first',
  403: 'The request was refused',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'The request conflicts with the present state',
  413: 'Too large',
  415: 'Unsupported media type',
  429: 'Too many requests',
  500: 'Something went wrong on the server',
  503: 'The server cannot do this now',
};

export const fieldErrors = (error: z.ZodError): FieldError[] =>
  error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));

/** RFC 9457. What the server did not expect is logged whole and told as nothing but the request id. */
export function problemFrom(error: unknown, requestId: string): Response {
  if (error instanceof Refusal) {
    return problem(error.status, error.message, requestId, error.extra.errors, error.extra.headers);
  }
  if (error instanceof TesseraError) {
    const headers = error.status === 503 ? retrySoon : undefined;
    return problem(error.status, error.message, requestId, undefined, headers, error.detail);
  }
  if (isDatabaseGone(error)) {
    log.warn({ err: error, requestId }, 'the database does not answer');
    return problem(503, 'The database does not answer. Try again shortly.', requestId, undefined, retrySoon);
  }
  if (isDiskFull(error)) {
    log.error({ err: error, requestId }, 'the disk is full');
    const message =
      'The disk of the server is full, so nothing was saved. Contact the administrator, then try again.';
    return problem(503, message, requestId, undefined, retrySoon);
  }
  if (isCollision(error)) {
    log.warn({ err: error, requestId }, 'two requests waited for each other');
    const message = 'Somebody else made a change at the same time, so nothing was saved. Try again.';
    return problem(503, message, requestId, undefined, { 'retry-after': '1' });
  }
  log.error({ err: error, requestId }, 'unexpected error in a request');
  return problem(500, 'The fault was logged under this request id.', requestId);
}

const retrySoon = { 'retry-after': '5' };

function problem(
  status: number,
  detail: string,
  requestId: string,
  errors?: FieldError[],
  headers: Record<string, string> = {},
  more?: Record<string, unknown>,
): Response {
  const body = { type: 'about:blank', title: titles[status] ?? 'Error', status, detail, requestId };
  return new Response(JSON.stringify({ ...body, ...(errors && { errors }), ...(more && { more }) }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });
}
