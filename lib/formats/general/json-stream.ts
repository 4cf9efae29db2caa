/** The elements of a JSON array, one per line; nothing but the current one is in memory. */
export async function* jsonArray(
  elements: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  let mark = '[\n';
  for await (const element of elements) {
    yield mark + JSON.stringify(element);
    mark = ',\n';
  }
  yield mark === '[\n' ? '[]' : '\n]';
}
