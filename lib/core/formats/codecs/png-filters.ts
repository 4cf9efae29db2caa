/** Takes the filters off the rows of a PNG; `pixel` is the distance to the sample on the left, in bytes. */
export function unfilter(raw: Uint8Array, height: number, row: number, pixel: number): Uint8Array {
  const bytes = new Uint8Array(height * row);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)] as number;
    const source = raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1));
    const line = bytes.subarray(y * row, (y + 1) * row);
    const above = y > 0 ? bytes.subarray((y - 1) * row, y * row) : new Uint8Array(row);
    unfilterRow(filter, source, line, above, pixel);
  }
  return bytes;
}

function unfilterRow(
  filter: number,
  source: Uint8Array,
  line: Uint8Array,
  above: Uint8Array,
  pixel: number,
): void {
  const left = (i: number) => (i < pixel ? 0 : (line[i - pixel] as number));
  if (filter === 0) line.set(source);
  else if (filter === 1) for (let i = 0; i < line.length; i++) line[i] = (source[i] as number) + left(i);
  else if (filter === 2)
    for (let i = 0; i < line.length; i++) line[i] = (source[i] as number) + (above[i] as number);
  else if (filter === 3)
    for (let i = 0; i < line.length; i++)
      line[i] = (source[i] as number) + ((left(i) + (above[i] as number)) >> 1);
  else if (filter === 4)
    for (let i = 0; i < line.length; i++) {
      const corner = i < pixel ? 0 : (above[i - pixel] as number);
      line[i] = (source[i] as number) + paeth(left(i), above[i] as number, corner);
    }
  else throw new Error(`the PNG file uses filter ${filter}, which does not exist`);
}

/** The neighbour that is nearest to left + above − corner; ties in this order. */
function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
