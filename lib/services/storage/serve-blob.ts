import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { isSha256 } from './blobs';
import type { ByteRange, Storage } from './types';

/** Media types that are shown inline because browsers can only display them. Others are downloads. */
const shownInPlace = new Set(['image/jpeg', 'image/png', 'image/webp']);

interface ServeOptions {
  /** ETag to use instead of the hash if the reader must not learn it. */
  etag?: string;
  /** Cache lifetime in seconds; unlimited if undefined. */
  maxAge?: number;
}

/** Responds with a blob. The request must already be authorized by a signed link or `authorise`. */
export async function serveBlob(
  db: Db,
  storage: Storage,
  sha256: string,
  request: { method: string; headers: Headers },
  options: ServeOptions = {},
): Promise<Response> {
  if (!isSha256(sha256)) throw notFound('file');
  const [blob] = await db.select().from(tables.blobs).where(eq(tables.blobs.sha256, sha256));
  if (!blob) throw notFound('file');

  const headers = headersFor(blob, options);
  if (isFresh(request.headers, headers)) return new Response(null, { status: 304, headers });

  const range = parseRange(request.headers.get('range'), blob.bytes);
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${blob.bytes}`);
    return new Response(null, { status: 416, headers });
  }
  const part = range === 'all' ? { start: 0, end: blob.bytes - 1 } : range;
  headers.set('content-length', String(part.end - part.start + 1));
  if (range !== 'all') headers.set('content-range', `bytes ${part.start}-${part.end}/${blob.bytes}`);
  const status = range === 'all' ? 200 : 206;
  if (request.method === 'HEAD' || blob.bytes === 0) return new Response(null, { status, headers });
  const stream = await storage.get(sha256, part);
  return new Response(Readable.toWeb(stream) as ReadableStream, { status, headers });
}

/** The media type comes from the database, never from a name, and scripts are blocked. */
function headersFor(blob: typeof tables.blobs.$inferSelect, { etag, maxAge }: ServeOptions): Headers {
  return new Headers({
    'content-type': blob.mediaType,
    'x-content-type-options': 'nosniff',
    'content-disposition': shownInPlace.has(blob.mediaType) ? 'inline' : 'attachment',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    // Names are content hashes, so cached content never becomes stale.
    'cache-control': `private, max-age=${maxAge ?? 31_536_000}, immutable`,
    'accept-ranges': 'bytes',
    etag: `"${etag ?? blob.sha256}"`,
  });
}

function isFresh(request: Headers, response: Headers): boolean {
  const known = request.get('if-none-match');
  if (known === null) return false;
  const etag = response.get('etag');
  return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Parses a Range header: the whole body, one range, or unsatisfiable. */
export function parseRange(header: string | null, size: number): ByteRange | 'all' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  // For several ranges or an unknown unit, HTTP allows the whole body.
  if (!match || (match[1] === '' && match[2] === '')) return 'all';
  const [, from = '', to = ''] = match;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return 'all';
  return start >= size ? 'unsatisfiable' : { start, end };
}
