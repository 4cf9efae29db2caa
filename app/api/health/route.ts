import { framed } from '../_http/frame';

/** The process is alive and answers; it says nothing about what it needs. */
export const GET = (request: Request) =>
  framed(request, '/api/health', async () => Response.json({ status: 'alive' }));
