import path from 'node:path';
import { readConfig } from '../config';
import { localDisk } from './local-disk';
import type { Storage } from './types';

export { localDisk } from './local-disk';
export { putBlob } from './put-blob';
export { readAll } from './read-all';
export { resolveInside } from './resolve-inside';
export { isSha256, sha256Of } from './sha256';
export { isSignedBlobUrl, signBlobUrl } from './signed-url';
export type { ByteRange, ByteSource, Storage } from './types';

/** One store per home: the folder does not change while a process runs, but it does between tests. */
const stores = new Map<string, Storage>();

export function storage(): Storage {
  const root = path.join(readConfig().home, 'blobs');
  const known = stores.get(root) ?? localDisk(root);
  stores.set(root, known);
  return known;
}
