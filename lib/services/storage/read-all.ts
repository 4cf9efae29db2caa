import { TesseraError } from '@/lib/core/errors';

/** A whole stream in memory, up to a limit. */
export async function readAll(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes)
      throw new TesseraError('too-large', `The file is larger than ${maxBytes} bytes, the most allowed.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
