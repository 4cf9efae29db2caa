/** Pieces of about this many characters: whoever writes them to a file is called seldom. */
const PIECE = 65_536;

/** The elements of a JSON array, one per line; nothing but a piece of it is in memory. */
export async function* jsonArray(
  elements: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let piece = '';
  let mark = '[\n';
  for await (const element of elements) {
    piece += mark + JSON.stringify(element);
    mark = ',\n';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece + (mark === '[\n' ? '[]' : '\n]');
}
