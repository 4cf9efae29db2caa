import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Config } from '@/lib/config';
import { invalid, notFound, TesseraError } from '@/lib/core/errors';
import { isSha256, readAll } from './blobs';
import { failWhenStalled, READ_TIMEOUT_MS, S3Client, type S3Settings } from './s3-client';
import { stagingArea } from './staging';
import type { Storage, StoredBlob } from './types';

/** Part size of multipart uploads. S3 allows 10,000 parts of at least 5 MiB. */
const PART_BYTES = 16 * 1024 * 1024;

export interface S3Bucket extends S3Settings {
  /** Prefix of every name, for shared buckets. */
  prefix: string;
  /** Local folder for incoming files, because the name is the hash of the content. */
  stagingFolder: string;
  partBytes?: number;
}

/**
 * Stores files in an S3-compatible bucket. A file is hashed on the local disk first and uploaded under its hash, so the
 * store never has to rename or copy.
 */
export function s3Bucket(settings: S3Bucket): Storage {
  const client = new S3Client(settings);
  const partBytes = settings.partBytes ?? PART_BYTES;
  const area = stagingArea(settings.stagingFolder);
  const keyOf = (sha256: string): string => {
    if (!isSha256(sha256)) throw invalid('Invalid blob name. Use 64 hexadecimal digits.');
    return `${settings.prefix}${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  };

  const stat = async (sha256: string): Promise<StoredBlob | null> => {
    const reply = await client.send({ method: 'HEAD', key: keyOf(sha256), expects: [404] });
    if (reply.status === 404) return null;
    const modifiedAt = new Date(reply.headers.get('last-modified') ?? 0);
    return { sha256, bytes: Number(reply.headers.get('content-length')), modifiedAt };
  };

  const get = async (sha256: string, range?: { start: number; end: number }): Promise<Response> => {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const reply = await client.send({ method: 'GET', key: keyOf(sha256), headers, expects: [404, 416] });
    if (reply.ok) return reply;
    await reply.body?.cancel();
    throw notFound('file');
  };

  const streamOf = ({ body }: Response): Readable =>
    Readable.from(body ? failWhenStalled(body, settings.patienceMs ?? READ_TIMEOUT_MS) : []);

  const send = async (file: string, key: string, bytes: number): Promise<void> => {
    const handle = await open(file, 'r');
    try {
      const part = async (from: number) => {
        const buffer = Buffer.alloc(Math.min(partBytes, bytes - from));
        await handle.read(buffer, 0, buffer.length, from);
        return buffer;
      };
      if (bytes <= partBytes) await client.send({ method: 'PUT', key, body: await part(0) });
      else await sendParts(client, key, bytes, partBytes, part);
    } finally {
      await handle.close();
    }
  };

  return {
    stat,

    async stage(source, limits = {}) {
      const { sha256, bytes, file, discard } = await area.receive(source, limits.maxBytes);
      return {
        sha256,
        bytes,
        discard,
        async place() {
          try {
            // The name is the hash, so an existing object has the same content.
            if ((await stat(sha256))?.bytes !== bytes) await send(file, keyOf(sha256), bytes);
          } finally {
            await discard();
          }
        },
      };
    },

    async get(sha256, range) {
      return streamOf(await get(sha256, range));
    },

    async read(sha256, maxBytes) {
      const reply = await get(sha256);
      if (Number(reply.headers.get('content-length')) > maxBytes) {
        await reply.body?.cancel();
        throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the maximum.`);
      }
      return readAll(streamOf(reply), maxBytes);
    },

    async delete(sha256) {
      await client.send({ method: 'DELETE', key: keyOf(sha256), expects: [404] });
    },

    async *list() {
      let token: string | undefined;
      do {
        const query = {
          'list-type': '2',
          prefix: settings.prefix,
          ...(token && { 'continuation-token': token }),
        };
        const page = await client.text({ method: 'GET', query });
        for (const [, entry = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
          const sha256 = tag(entry, 'Key')?.split('/').at(-1) ?? '';
          if (isSha256(sha256) && tag(entry, 'Key') === keyOf(sha256))
            yield {
              sha256,
              bytes: Number(tag(entry, 'Size')),
              modifiedAt: new Date(tag(entry, 'LastModified') ?? 0),
            } satisfies StoredBlob;
        }
        token = tag(page, 'IsTruncated') === 'true' ? tag(page, 'NextContinuationToken') : undefined;
      } while (token);
    },

    async sweepStaged(olderThan) {
      let swept = await area.sweep(olderThan);
      // Some stores cannot list uploads; they expire them.
      const query = { uploads: '', prefix: settings.prefix };
      const page = await client.text({ method: 'GET', query, expects: [405, 501] });
      for (const [, entry = ''] of page.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
        const key = tag(entry, 'Key');
        const uploadId = tag(entry, 'UploadId');
        if (!key || !uploadId || new Date(tag(entry, 'Initiated') ?? 0) >= olderThan) continue;
        await client.send({ method: 'DELETE', key, query: { uploadId }, expects: [404] });
        swept += 1;
      }
      return swept;
    },
  };
}

/** Uploads in parts. An interrupted upload leaves invisible parts for the sweep. */
async function sendParts(
  client: S3Client,
  key: string,
  bytes: number,
  partBytes: number,
  part: (from: number) => Promise<Buffer<ArrayBuffer>>,
): Promise<void> {
  const begun = await client.text({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = tag(begun, 'UploadId');
  if (!uploadId)
    throw new TesseraError('unavailable', 'The file store did not start the upload. Try again later.');
  try {
    const parts: string[] = [];
    for (let from = 0, n = 1; from < bytes; from += partBytes, n++) {
      const query = { partNumber: String(n), uploadId };
      const sent = await client.send({ method: 'PUT', key, query, body: await part(from) });
      parts.push(`<Part><PartNumber>${n}</PartNumber><ETag>${sent.headers.get('etag') ?? ''}</ETag></Part>`);
    }
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const ended = await client.text({ method: 'POST', key, query: { uploadId }, body });
    // S3 can report a late error with status 200.
    if (ended.includes('<Error>'))
      throw new TesseraError('unavailable', `The file store answers ${tag(ended, 'Code')}.`);
  } catch (error) {
    await client.send({ method: 'DELETE', key, query: { uploadId }, expects: [404] }).catch(() => {});
    throw error;
  }
}

/** Extracts an element. Values contain no XML escapes except quotes and ampersands in tokens. */
const tag = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(xml)?.[1]
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&amp;', '&');

/** Reads the bucket configuration. Returns null if none is set, and throws if it is incomplete. */
export function readBucketConfig(config: Config): S3Bucket | null {
  const {
    TESSERA_S3_BUCKET: bucket,
    TESSERA_S3_ENDPOINT: endpoint,
    TESSERA_S3_KEY_ID: keyId,
    TESSERA_S3_SECRET: secret,
  } = config;
  if (!bucket) return null;
  if (!endpoint || !keyId || !secret)
    throw new TesseraError(
      'invalid',
      'TESSERA_S3_BUCKET needs TESSERA_S3_ENDPOINT, TESSERA_S3_KEY_ID and TESSERA_S3_SECRET beside it.',
    );
  return {
    bucket,
    endpoint,
    keyId,
    secret,
    region: config.TESSERA_S3_REGION,
    patienceMs: config.TESSERA_S3_PATIENCE * 1000,
    prefix: config.TESSERA_S3_PREFIX ? `${config.TESSERA_S3_PREFIX}/` : '',
    stagingFolder: path.join(config.home, 'staging'),
  };
}
