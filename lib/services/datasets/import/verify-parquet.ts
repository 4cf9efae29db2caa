import { invalid } from '@/lib/core/errors';
import type { SourceTree } from '@/lib/core/formats/format';
import { findPaths } from '@/lib/core/formats/shared/read-tree';
import { AskedChild } from '@/lib/services/inference/process/asked-child';

/** A gigabyte, which is the most that a file may have, takes about a minute on a crowded core. */
const TIMEOUT_MS = 5 * 60_000;
const MAX_MEMORY_MB = 4000;

/**
 * Reads every Parquet file once in a process of its own. The library that decodes them goes round in circles on some
 * damaged files, and ends its process on others; what has been read to the end there can be read here.
 */
export async function verifyParquet(
  tree: SourceTree,
  signal: AbortSignal,
  { patienceMs = TIMEOUT_MS, memoryMb = MAX_MEMORY_MB } = {},
): Promise<void> {
  const paths = findPaths(tree, /\.parquet$/i);
  if (paths.length === 0) return;
  using child = new AskedChild('lib/services/datasets/import/parquet-child.ts', { patienceMs, memoryMb });
  const stop = () => child[Symbol.dispose]();
  signal.addEventListener('abort', stop);
  try {
    for (const path of paths) {
      const bytes = await tree.bytes(path);
      await child.ask('read', { path, bytes }).catch((error: Error) => {
        signal.throwIfAborted();
        const why = error.message.replace(/^The model does not run: /, '').replace(/\. Try a smaller.*$/, '');
        throw invalid(`${path} is damaged or no Parquet file (${why}).`);
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
