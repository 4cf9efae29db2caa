import { joined } from './joined';

/** What a zlib stream holds. More than `limit` bytes is refused as soon as it shows, not after. */
export async function inflate(bytes: Uint8Array, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // A broken stream is reported by the reading side; here it must only not go unheard.
  const fed = writer.write(new Uint8Array(bytes)).then(() => writer.close());
  fed.catch(() => undefined);
  const reader = stream.readable.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error('the compressed data is broken');
    });
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`the compressed data holds more than the ${limit} bytes that it should`);
    }
    pieces.push(value);
  }
  return joined(pieces);
}
