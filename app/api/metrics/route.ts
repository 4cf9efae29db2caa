import { type Database, database } from '@/db';
import { authorise } from '@/lib/auth';
import { actorFromRequest } from '@/lib/auth/actor-from-request';
import { isLoopback } from '@/lib/auth/origins';
import { readConfig } from '@/lib/config';
import { notFound } from '@/lib/errors';
import { metricsText } from '@/lib/metrics';
import { framed } from '../_http/frame';

/** For Prometheus: with the key of an admin, or on an instance that nobody but this machine can reach. */
export const GET = (request: Request) =>
  framed(request, '/api/metrics', async () => {
    const db = database();
    if (!isPrivate(request)) await requireAdmin(request, db);
    return new Response(await metricsText(db), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  });

/**
 * Judged by where we listen and what we are called, never by what a request says of its sender; the name
 * that was asked for is looked at too, so that a page of another site cannot come in by a rebound name.
 */
function isPrivate(request: Request): boolean {
  const { HOST, url } = readConfig();
  const asked = request.headers.get('host')?.replace(/:\d+$/, '') ?? '';
  return isLoopback(HOST) && isLoopback(new URL(url).hostname) && isLoopback(asked);
}

async function requireAdmin(request: Request, db: Database): Promise<void> {
  const actor = await actorFromRequest(request.headers, db);
  if (!actor) throw notFound('page');
  await authorise(db, actor, 'metrics.read', 'instance');
}
