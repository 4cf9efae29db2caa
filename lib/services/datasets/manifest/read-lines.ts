/** A version's manifest may have lines of several megabytes (large masks), but not of this size. */
const LONGEST = 256 * 1024 * 1024;

/** The lines of a stream of UTF-8, without the newline, and where each begins and how many bytes it has. */
export async function* readLines(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ text: string; start: number; bytes: number }> {
  let start = 0;
  let pending: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10, from); end !== -1; end = chunk.indexOf(10, from)) {
      pending.push(chunk.subarray(from, end));
      const line = joined(pending);
      yield { text: line.toString('utf8'), start, bytes: line.length };
      start += line.length + 1;
      pending = [];
      held = 0;
      from = end + 1;
    }
    pending.push(chunk.subarray(from));
    held += chunk.length - from;
    if (held > LONGEST) throw new Error('A line of the manifest is too long to be one.');
  }
  const rest = joined(pending);
  if (rest.length > 0) yield { text: rest.toString('utf8'), start, bytes: rest.length };
}

/** Most lines lie in one chunk, which need not be copied. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const [only] = pieces;
  return pieces.length === 1 && only
    ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
    : Buffer.concat(pieces);
}
