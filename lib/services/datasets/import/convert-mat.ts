import { invalid } from '@/lib/core/errors';
import type { SourceTree } from '@/lib/core/formats/format';
import { ChildClient } from '@/lib/services/inference/child-client';

/** A file of some hundred masks takes a second. */
const TIMEOUT_MS = 60_000;
const MAX_MEMORY_MB = 2000;

/** MATLAB puts its own header of 512 bytes before the HDF5 file. Other programs leave it out. */
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const isHdf5 = (bytes: Uint8Array): boolean =>
  [0, 512].some((start) => SIGNATURE.every((byte, i) => bytes[start + i] === byte));

export interface ConvertedTree extends Disposable {
  tree: SourceTree;
}

/**
 * A tree in which MATLAB 7.3 files, which are HDF5, have become MATLAB 5 files, so that every reader of `.mat` files
 * reads both. A child process converts them, because a damaged file can make the HDF5 library loop.
 */
export function convertMatFiles(
  given: SourceTree,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS, memoryMb = MAX_MEMORY_MB } = {},
): ConvertedTree {
  let child: ChildClient | null = null;
  const stop = () => {
    child?.[Symbol.dispose]();
    child = null;
  };
  signal.addEventListener('abort', stop);
  const convert = async (path: string, bytes: Uint8Array): Promise<Uint8Array> => {
    signal.throwIfAborted();
    child ??= new ChildClient('lib/services/datasets/import/mat-child.ts', { timeoutMs, memoryMb });
    const current = child;
    return current.request<Uint8Array>('convert', { bytes }).catch((error: Error) => {
      signal.throwIfAborted();
      // The process may be gone. The next file gets a new one.
      if (child === current) stop();
      const why = error.message.replace(/^The model does not run: /, '').replace(/\. Try a smaller.*$/, '');
      throw invalid(`${path} cannot be read as a MATLAB 7.3 file (${why}).`);
    });
  };
  return {
    tree: {
      paths: given.paths,
      async bytes(path) {
        const bytes = await given.bytes(path);
        return path.toLowerCase().endsWith('.mat') && isHdf5(bytes) ? convert(path, bytes) : bytes;
      },
    },
    [Symbol.dispose]() {
      signal.removeEventListener('abort', stop);
      stop();
    },
  };
}
