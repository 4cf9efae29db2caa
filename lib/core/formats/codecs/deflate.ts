import { RunDeflater } from './run-deflater';

export { inflate } from './inflate';

/**
 * A zlib stream for masks and label maps, which are long runs of one byte. Several times faster than zlib, and the same
 * bytes on every machine, which zlib does not promise.
 */
export function deflateRuns(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const deflater = new RunDeflater(bytes.length >> 4);
  // Four bytes at a time where they are aligned: most of a mask is one long run.
  const { buffer, byteOffset, length } = bytes;
  const words = byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : new Uint32Array();
  for (let at = 0; at < length; ) {
    const byte = bytes[at] as number;
    let end = at + 1;
    while (end < length && bytes[end] === byte && (end & 3) !== 0) end++;
    if ((end & 3) === 0) {
      const four = (byte * 0x01010101) >>> 0;
      let word = end >> 2;
      while (word < words.length && words[word] === four) word++;
      end = Math.max(end, word << 2);
    }
    while (end < length && bytes[end] === byte) end++;
    if (end - at > 3) deflater.repeat(byte, end - at);
    else for (let i = at; i < end; i++) deflater.byte(byte);
    at = end;
  }
  return deflater.end();
}
