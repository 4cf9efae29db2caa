import { database } from '@/db';
import { notReady } from '@/lib/services/observability/readiness';
import { framed } from '../_http/frame';

/** 200 when this process can serve, 503 with the reasons when it cannot. */
export const GET = (request: Request) =>
  framed(request, '/api/ready', async () => {
    const reasons = await notReady(database());
    const isReady = Object.keys(reasons).length === 0;
    return Response.json(isReady ? { status: 'ready' } : { status: 'not ready', reasons }, {
      status: isReady ? 200 : 503,
    });
  });
