import { dispatch } from '@/app/api/_http/router';
import { POST as signIn } from '@/app/api/auth/[...all]/route';
import { endpoints } from '@/app/api/v1/endpoints';
import type { Fetch } from '@/lib/demo/simulation/http/client';

const api = dispatch(endpoints);

/** Sends requests to the API without a socket. */
export const inProcess: Fetch = async (url, init) => {
  const request = new Request(url, init);
  return new URL(url).pathname.startsWith('/api/auth/') ? signIn(request) : api(request);
};
