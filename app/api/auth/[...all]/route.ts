import { framed } from '@/app/api/_http/frame';
import { readJson, requireOwnOrigin } from '@/app/api/_http/input';
import { Refusal } from '@/app/api/_http/problem';
import { notFound, TesseraError } from '@/lib/core/errors';
import { auth } from '@/lib/services/access/better-auth';
import { clientAddress, requestIdHeader } from '@/lib/services/access/request-headers';

/** Of a form with two passwords. */
const mostBytes = 10_000;

/** All of better-auth that is open to the world; the rest (sign-up, above all) does not exist. */
const open = new Set(['/api/auth/sign-in/email', '/api/auth/sign-out', '/api/auth/change-password']);

export function POST(request: Request): Promise<Response> {
  const path = new URL(request.url).pathname;
  return framed(request, open.has(path) ? path : '/api/auth/*', async (requestId) => {
    if (!open.has(path)) throw notFound('page');
    requireOwnOrigin(request);
    const headers = new Headers(request.headers);
    headers.set('x-forwarded-for', clientAddress(request.headers));
    headers.set(requestIdHeader, requestId);
    const reply = await auth().handler(await asked(request, path, headers));
    if (!reply.ok) throw await refusalFrom(reply);
    return withoutToken(reply);
  });
}

/** A new password ends every other session, whatever the sender wishes: one of them may be the reason for it. */
async function asked(request: Request, path: string, headers: Headers): Promise<Request> {
  if (path !== '/api/auth/change-password') return new Request(request, { headers });
  const body = await readJson(request, mostBytes);
  headers.delete('content-length');
  const given = typeof body === 'object' ? body : {};
  return new Request(request.url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...given, revokeOtherSessions: true }),
  });
}

async function refusalFrom(reply: Response): Promise<Error> {
  if (reply.status >= 500)
    return new TesseraError('unavailable', 'Signing in does not work now. Try again shortly.');
  const wait = reply.headers.get('retry-after') ?? reply.headers.get('x-retry-after');
  if (reply.status === 429) {
    return new Refusal(429, 'Too many attempts: wait a few minutes.', {
      headers: { 'retry-after': wait ?? '60' },
    });
  }
  // The same words for an unknown address, a wrong password and a disabled account.
  if (reply.status === 401)
    return new Refusal(401, 'The e-mail address or pseudonym, or the password, is wrong.');
  const said = (await reply.json().catch(() => ({}))) as { message?: string };
  return new Refusal(reply.status === 403 ? 403 : 400, said.message ?? 'The request is not valid.');
}

/** The session's token travels in the cookie alone, where no script can read it. */
async function withoutToken(reply: Response): Promise<Response> {
  const { token, ...rest } = (await reply.json()) as Record<string, unknown>;
  const headers = new Headers(reply.headers);
  headers.delete('content-length');
  return Response.json(rest, { headers });
}
