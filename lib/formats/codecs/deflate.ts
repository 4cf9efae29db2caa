import { RunDeflater } from './run-deflater';

export { inflate } from './inflate';

/**
 * A zlib stream for masks and label maps, which are long runs of one byte. Several times faster than zlib, and the same
 * bytes on every machine, which zlib does not promise.
 */
export function deflateRuns(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const deflater = new RunDeflater(bytes.length >> 4);
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    let end = at + 1;
    while (end < bytes.length && bytes[end] === byte) end++;
    if (end - at > 3) deflater.repeat(byte, end - at);
    else for (let i = at; i < end; i++) deflater.byte(byte);
    at = end;
  }
  return deflater.end();
}
