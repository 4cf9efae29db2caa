/** Files by SHA-256, on disk or in an S3-compatible store. */

import path from 'node:path';
import { readConfig } from '@/lib/config';
import { localDisk } from './local-disk';
import { readBucketConfig, s3Bucket } from './s3-bucket';
import type { Storage } from './types';

export { isSha256, putBlob, readAll, resolveInside, sha256Of } from './blobs';
export { localDisk } from './local-disk';
export { isSignedBlobUrl, signBlobUrl } from './signed-url';
export type { ByteRange, ByteSource, Storage } from './types';

/** One store per location. It changes only between tests. */
const stores = new Map<string, Storage>();

/** Returns the store of this installation: the configured bucket, or a folder in the home directory. */
export function storage(): Storage {
  const config = readConfig();
  const bucket = readBucketConfig(config);
  const root = path.join(config.home, 'blobs');
  const name = bucket ? JSON.stringify(bucket) : root;
  const known = stores.get(name) ?? (bucket ? s3Bucket(bucket) : localDisk(root));
  stores.set(name, known);
  return known;
}
