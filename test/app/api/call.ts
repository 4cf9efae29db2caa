import type { Endpoint } from '@/app/api/_http/endpoint';
import { POST as authRoute } from '@/app/api/auth/[...all]/route';
import { password } from '../../services/access/people';

export const origin = 'http://localhost:3000';

export interface Call {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Calls an endpoint as Next would. */
export async function call(entry: Endpoint, { params = {}, query = '', body, headers = {} }: Call = {}) {
  const path = entry.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const request = new Request(`${origin}${path}${query}`, {
    method: entry.method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const reply = await entry.handle(request, params);
  const text = await reply.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: reply.status, headers: reply.headers, json: (text ? JSON.parse(text) : null) as any };
}

export const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

export function postAuth(path: string, body: unknown, headers: Record<string, string> = {}) {
  return authRoute(
    new Request(`${origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    }),
  );
}

/** Headers of a browser that has signed in, as one of our own pages sends them. */
export async function browserOf(email: string, secret = password): Promise<Record<string, string>> {
  const reply = await postAuth('sign-in/email', { email, password: secret });
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}: ${await reply.text()}`);
  const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0]);
  return { cookie: cookie.join('; '), origin };
}
