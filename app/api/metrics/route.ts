import { type Database, database } from '@/db';
import { notFound } from '@/lib/core/errors';
import { authorise } from '@/lib/services/access';
import { actorFromRequest } from '@/lib/services/access/actor-from-request';
import { canReadMetrics, metricsText } from '@/lib/services/observability/metrics';
import { framed } from '../_http/frame';

/** For Prometheus: with TESSERA_METRICS_TOKEN or the key of an admin, or on an instance only this machine can reach. */
export const GET = (request: Request) =>
  framed(request, '/api/metrics', async () => {
    const db = database();
    const { headers } = request;
    const caller = { host: headers.get('host'), authorization: headers.get('authorization') };
    if (!canReadMetrics(caller)) await requireAdmin(request, db);
    return new Response(await metricsText(db), {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  });

async function requireAdmin(request: Request, db: Database): Promise<void> {
  const actor = await actorFromRequest(request.headers, db);
  if (!actor) throw notFound('page');
  await authorise(db, actor, 'metrics.read', 'instance');
}
