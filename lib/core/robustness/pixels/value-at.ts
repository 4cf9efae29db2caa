/** The value at a place between pixels, whose centres are at whole numbers. Beyond the edge it is the edge's. */
export function valueAt(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const cx = Math.min(Math.max(x, 0), width - 1);
  const cy = Math.min(Math.max(y, 0), height - 1);
  const left = Math.floor(cx);
  const top = Math.floor(cy);
  const across = cx - left;
  const down = cy - top;
  const first = top * width + left;
  const right = left + 1 < width ? 1 : 0;
  const second = first + (top + 1 < height ? width : 0);
  const a = plane[first] as number;
  const c = plane[second] as number;
  const above = a + ((plane[first + right] as number) - a) * across;
  const below = c + ((plane[second + right] as number) - c) * across;
  return above + (below - above) * down;
}
