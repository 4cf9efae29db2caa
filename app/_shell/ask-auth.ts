import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies, headers } from 'next/headers';
import { readConfig } from '@/lib/config';
import { auth } from '@/lib/services/access/better-auth';
import { clientAddress } from '@/lib/services/access/request-headers';

/** What a browser would tell better-auth about itself. */
async function browserHeaders(): Promise<Record<string, string>> {
  const given = await headers();
  return {
    cookie: given.get('cookie') ?? '',
    origin: new URL(readConfig().url).origin,
    'user-agent': given.get('user-agent') ?? '',
    'x-forwarded-for': clientAddress(given),
  };
}

async function passCookies(answer: Response): Promise<void> {
  const jar = await cookies();
  for (const line of answer.headers.getSetCookie()) {
    for (const [name, cookie] of parseSetCookieHeader(line)) {
      jar.set(name, decodeURIComponent(cookie.value), {
        httpOnly: cookie.httponly,
        secure: cookie.secure,
        sameSite: cookie.samesite,
        path: cookie.path,
        maxAge: cookie['max-age'],
      });
    }
  }
}

/**
 * Calls better-auth from a server action as a browser would, so that its rate limits and checks hold here
 * too, and passes on the cookies of its answer. Next has already refused actions sent from other sites.
 */
export async function askAuth(path: `/${string}`, body: Record<string, unknown>): Promise<Response> {
  const answer = await auth().handler(
    new Request(new URL(`/api/auth${path}`, readConfig().url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await browserHeaders()) },
      body: JSON.stringify(body),
    }),
  );
  await passCookies(answer);
  return answer;
}

/** Signs in somebody whom a marketplace sent and `arrive` let in; false when their account is disabled. */
export async function signInVisitor(userId: string): Promise<boolean> {
  const answer = await auth().api.signInVisitor({
    body: { userId },
    headers: new Headers(await browserHeaders()),
    asResponse: true,
  });
  if (answer.ok) await passCookies(answer);
  return answer.ok;
}
