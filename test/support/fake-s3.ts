import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type S3Keys, signRequest } from '@/lib/services/storage/s3-client';

interface Stored {
  body: Buffer;
  modifiedAt: Date;
}

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
  initiated: Date;
}

/** Objects on one page of a list. */
const PAGE = 2;
const QUARTER_HOUR_MS = 15 * 60_000;

/** A store that speaks as much of S3 as we do, and checks what S3 checks: signature, hash of the body, time. */
export async function startFakeS3(bucket: string, keys: S3Keys) {
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();
  const state = {
    failures: [] as number[],
    aheadMs: 0,
    requests: 0,
    refused: [] as string[],
    isSilent: false,
    stopsAt: Number.POSITIVE_INFINITY,
  };
  const server = createServer((request, reply) => void answer(request, reply));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = () => new Date(Date.now() + state.aheadMs);

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    state.requests += 1;
    if (state.isSilent) return;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const url = new URL(request.url ?? '/', endpoint);
    reply.setHeader('date', now().toUTCString());
    const failure = state.failures.shift();
    const refusal = failure === undefined ? refusalOf(request, url, body) : undefined;
    if (failure) return void reply.writeHead(failure).end('<Error><Code>SlowDown</Code></Error>');
    if (refusal) {
      state.refused.push(refusal);
      return void reply.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`);
    }
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    if (name !== bucket) return void reply.writeHead(404).end('<Error><Code>NoSuchBucket</Code></Error>');
    const key = rest.join('/');
    if (key === '') return void reply.end(url.searchParams.has('uploads') ? listUploads() : listObjects(url));
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId'))
      return multipart(request.method ?? '', key, url.searchParams, body, reply);
    return object(request, key, body, reply);
  }

  /** The signature is made anew from what arrived: a header, a path or a body that changed on the way shows. */
  function refusalOf(request: IncomingMessage, url: URL, body: Buffer): string | undefined {
    const given = request.headers.authorization ?? '';
    const names = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? [];
    const stamp = String(request.headers['x-amz-date'] ?? '');
    const at = new Date(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (Math.abs(at.getTime() - now().getTime()) > QUARTER_HOUR_MS) return 'RequestTimeTooSkewed';
    const bodyHash = createHash('sha256').update(body).digest('hex');
    if (request.headers['x-amz-content-sha256'] !== bodyHash) return 'XAmzContentSHA256Mismatch';
    const own = ['host', 'x-amz-date', 'x-amz-content-sha256'];
    if (own.some((name) => !names.includes(name))) return 'AccessDenied';
    const headers = Object.fromEntries(
      names.filter((name) => !own.includes(name)).map((name) => [name, String(request.headers[name])]),
    );
    const right = signRequest({ method: request.method ?? '', url, headers, bodyHash, at }, keys);
    return right.authorization === given ? undefined : 'SignatureDoesNotMatch';
  }

  function object(request: IncomingMessage, key: string, body: Buffer, reply: ServerResponse): void {
    const found = objects.get(key);
    if (request.method === 'PUT') {
      objects.set(key, { body, modifiedAt: now() });
      return void reply.end();
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void reply.writeHead(204).end();
    }
    if (!found) return void reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    reply.setHeader('last-modified', found.modifiedAt.toUTCString());
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    const part = range ? found.body.subarray(Number(range[1]), Number(range[2]) + 1) : found.body;
    reply.writeHead(range ? 206 : 200, { 'content-length': part.length });
    if (request.method !== 'HEAD' && part.length > state.stopsAt)
      return void reply.write(part.subarray(0, state.stopsAt));
    reply.end(request.method === 'HEAD' ? undefined : part);
  }

  function multipart(
    method: string,
    key: string,
    query: URLSearchParams,
    body: Buffer,
    reply: ServerResponse,
  ): void {
    const id = query.get('uploadId');
    if (id === null) {
      const made = randomUUID();
      uploads.set(made, { key, parts: new Map(), initiated: now() });
      return void reply.end(
        `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      );
    }
    const upload = uploads.get(id);
    if (!upload) return void reply.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return void reply.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end();
    }
    uploads.delete(id);
    if (method === 'DELETE') return void reply.writeHead(204).end();
    const named = [
      ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([0-9a-f]+)"<\/ETag>/g),
    ];
    const whole = named.map(([, number, etag]) => {
      const part = upload.parts.get(Number(number));
      return part && createHash('md5').update(part).digest('hex') === etag ? part : undefined;
    });
    if (whole.length !== upload.parts.size || whole.includes(undefined))
      return void reply.end('<Error><Code>InvalidPart</Code></Error>');
    objects.set(key, { body: Buffer.concat(whole as Buffer[]), modifiedAt: now() });
    reply.end('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  }

  function listObjects({ searchParams }: URL): string {
    const prefix = searchParams.get('prefix') ?? '';
    const after = searchParams.get('continuation-token') ?? '';
    const names = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = names.slice(0, PAGE).map((key) => {
      const { body, modifiedAt } = objects.get(key) as Stored;
      return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size></Contents>`;
    });
    const isTruncated = names.length > PAGE;
    const next = isTruncated ? `<NextContinuationToken>${names[PAGE - 1]}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${page.join('')}${next}</ListBucketResult>`;
  }

  const listUploads = () =>
    `<ListMultipartUploadsResult>${[...uploads]
      .map(
        ([id, { key, initiated }]) =>
          `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated.toISOString()}</Initiated></Upload>`,
      )
      .join('')}</ListMultipartUploadsResult>`;

  return {
    endpoint,
    objects,
    uploads,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
