/** Bytes that are written together: every write costs a turn of the event loop. */
const TOGETHER = 256 * 1024;

/** The same bytes in fewer pieces. */
export async function* gathered(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    waiting.push(piece);
    held += piece.length;
    if (held < TOGETHER) continue;
    yield joined(waiting);
    waiting = [];
    held = 0;
  }
  if (held > 0) yield joined(waiting);
}

const joined = (pieces: Uint8Array[]): Uint8Array =>
  pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
