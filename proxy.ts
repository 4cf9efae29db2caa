import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { newId } from '@/db/id';
import { frameAncestorOf } from '@/lib/config/network';
import { cleanRequestId, pathHeader, requestIdHeader } from '@/lib/services/access/request-headers';
import { contentSecurityPolicy, pageHeaders, strictTransport } from '@/lib/services/access/security-headers';

/** Runs before every page: a fresh nonce, the security headers, a request id. It decides about no rights. */
export function proxy(request: NextRequest): NextResponse {
  // PostgreSQL has no place for U+0000 in a text, so nothing can be called that.
  if (/%00/.test(request.nextUrl.pathname + request.nextUrl.search))
    return new NextResponse(null, { status: 400 });
  const nonce = randomBytes(16).toString('base64');
  const ancestor = frameAncestorOf(request.nextUrl.pathname);
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === 'development', ancestor ?? undefined);
  const requestId = cleanRequestId(request.headers.get(requestIdHeader)) ?? newId();

  // Next reads the nonce from the request's policy and puts it on the scripts that it writes.
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  headers.set(requestIdHeader, requestId);
  headers.set(pathHeader, request.nextUrl.pathname + request.nextUrl.search);

  const response = NextResponse.next({ request: { headers } });
  for (const [name, value] of Object.entries(pageHeaders)) response.headers.set(name, value);
  // It knows no origins; the policy says who may.
  if (ancestor) response.headers.delete('x-frame-options');
  response.headers.set('content-security-policy', policy);
  response.headers.set(requestIdHeader, requestId);
  if (process.env.TESSERA_URL?.startsWith('https:')) {
    response.headers.set('strict-transport-security', strictTransport);
  }
  return response;
}

export const config = {
  // The API has headers of its own; static files are named by their content and hold nothing to protect.
  matcher: ['/((?!api/|_next/static/|_next/image).*)'],
};
