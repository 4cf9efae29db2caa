import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies, headers } from 'next/headers';
import { auth } from '@/lib/auth/better-auth';
import { clientAddress } from '@/lib/auth/client-address';
import { readConfig } from '@/lib/config';

/**
 * Calls better-auth from a server action as a browser would, so that its rate limits and checks hold here
 * too, and passes on the cookies of its answer. Next has already refused actions sent from other sites.
 */
export async function askAuth(path: `/${string}`, body: Record<string, unknown>): Promise<Response> {
  const { url } = readConfig();
  const given = await headers();
  const answer = await auth().handler(
    new Request(new URL(`/api/auth${path}`, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: given.get('cookie') ?? '',
        origin: new URL(url).origin,
        'user-agent': given.get('user-agent') ?? '',
        'x-forwarded-for': clientAddress(given),
      },
      body: JSON.stringify(body),
    }),
  );
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
  return answer;
}
