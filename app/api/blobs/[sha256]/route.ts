import { framed } from '@/app/api/_http/frame';
import { database } from '@/db';
import { notFound } from '@/lib/core/errors';
import { isSignedBlobUrl, storage } from '@/lib/services/storage';
import { serveBlob } from '@/lib/services/storage/serve-blob';

interface Context {
  params: Promise<{ sha256: string }>;
}

/** The signature is the right to see: a page of thumbnails costs no look-up of a session each. */
export const GET = (request: Request, { params }: Context) =>
  framed(request, '/api/blobs/{sha256}', async () => {
    const { sha256 } = await params;
    if (!isSignedBlobUrl(new URL(request.url))) throw notFound('file');
    return serveBlob(database(), storage(), sha256, request);
  });

export const HEAD = GET;
