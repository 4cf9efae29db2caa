import { invalid } from '@/lib/core/errors';
import type { SourceTree } from '@/lib/core/formats/format';
import { findPaths } from '@/lib/core/formats/shared/read-tree';
import { ChildClient } from '@/lib/services/inference/child-client';

/** A file of one gigabyte, the maximum, takes about a minute on a busy core. */
const TIMEOUT_MS = 5 * 60_000;
const MAX_MEMORY_MB = 4000;

/**
 * Reads every Parquet file once in a child process. The decoder loops forever on some damaged files and crashes on
 * others. Files that the child can read are safe to read here.
 */
export async function verifyParquet(
  tree: SourceTree,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS, memoryMb = MAX_MEMORY_MB } = {},
): Promise<void> {
  const paths = findPaths(tree, /\.parquet$/i);
  if (paths.length === 0) return;
  using child = new ChildClient('lib/services/datasets/import/parquet-child.ts', {
    timeoutMs,
    memoryMb,
  });
  const stop = () => child[Symbol.dispose]();
  signal.addEventListener('abort', stop);
  try {
    for (const path of paths) {
      const bytes = await tree.bytes(path);
      await child.request('read', { path, bytes }).catch((error: Error) => {
        signal.throwIfAborted();
        const why = error.message.replace(/^The model does not run: /, '').replace(/\. Try a smaller.*$/, '');
        throw invalid(`${path} is damaged or not a Parquet file (${why}).`);
      });
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
