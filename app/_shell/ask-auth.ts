import { parseSetCookieHeader } from 'better-auth/cookies';
import { cookies, headers } from 'next/headers';
import { auth } from '@/lib/auth/better-auth';
import { readConfig } from '@/lib/config';

/**
 * Calls better-auth from a server action as a browser would, so that its rate limits and checks hold here
 * too, and passes on the cookies of its answer.
 */
export async function askAuth(path: `/${string}`, body: Record<string, unknown>): Promise<Response> {
  const { url } = readConfig();
  const forwarded = new Headers(await headers());
  forwarded.set('content-type', 'application/json');
  forwarded.set('origin', new URL(url).origin);
  forwarded.delete('content-length');
  const answer = await auth().handler(
    new Request(new URL(`/api/auth${path}`, url), {
      method: 'POST',
      headers: forwarded,
      body: JSON.stringify(body),
    }),
  );
  const jar = await cookies();
  for (const [name, cookie] of parseSetCookieHeader(answer.headers.get('set-cookie') ?? '')) {
    jar.set(name, cookie.value, {
      httpOnly: cookie.httponly,
      secure: cookie.secure,
      sameSite: cookie.samesite,
      path: cookie.path,
      maxAge: cookie['max-age'],
    });
  }
  return answer;
}
