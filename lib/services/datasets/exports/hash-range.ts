import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** sha256 of some bytes of a file; null when they are not all there. */
export async function hashRange(file: string, start: number, bytes: number): Promise<string | null> {
  const hash = createHash('sha256');
  let read = 0;
  if (bytes > 0) {
    try {
      for await (const chunk of createReadStream(file, { start, end: start + bytes - 1 })) {
        hash.update(chunk);
        read += chunk.length;
      }
    } catch {
      return null;
    }
  }
  return read === bytes ? hash.digest('hex') : null;
}
