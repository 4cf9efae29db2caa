import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'drizzle-orm';
import type { Database } from '@/db';

const RETRY_SECONDS = 5;

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 Inter, system-ui, sans-serif; }
  main { max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
  h1 { font-size: 1.375rem; margin: 0 0 .5rem; }
  p { margin: 0 0 .75rem; }`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Back in a moment · Tessera</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Back in a moment</h1>
<p>The database does not answer at the moment. Nothing you saved is lost, and work that is open in another tab is kept there until it can be sent.</p>
<p>This page tries again by itself every ${RETRY_SECONDS} seconds.</p>
</main>
</body>
</html>
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'retry-after': String(RETRY_SECONDS),
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** What a person asked for by address or by link; the API, pictures and scripts tell their faults themselves. */
function isForPage({ method, url = '/', headers: sent }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (url.startsWith('/api/') || url.startsWith('/_next/')) return false;
  return sent.rsc !== undefined || (sent.accept ?? '').includes('text/html');
}

/**
 * Without the database no page can be drawn. Next would say so with a fault of its own, and would have begun a page
 * with status 200 by then; here the answer is 503 and a page that tries again. True when that was the answer.
 */
export async function answerUnavailable(
  request: IncomingMessage,
  response: ServerResponse,
  db: () => Database,
): Promise<boolean> {
  if (!isForPage(request)) return false;
  try {
    await db().execute(sql`select 1`);
    return false;
  } catch {
    response.writeHead(503, headers);
    response.end(request.method === 'HEAD' ? undefined : page);
    return true;
  }
}
