/** A map enlarged or reduced between its values, with the centres of pixels half a pixel in (as OpenCV does). */
export function bilinear(
  map: ArrayLike<number>,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Float32Array {
  const out = new Float32Array(toWidth * toHeight);
  const columns = places(width, toWidth);
  const rows = places(height, toHeight);
  rows.forEach(({ low: top, high: bottom, share: down }, y) => {
    columns.forEach(({ low: left, high: right, share: across }, x) => {
      const above = blend(map[top * width + left] as number, map[top * width + right] as number, across);
      const below = blend(
        map[bottom * width + left] as number,
        map[bottom * width + right] as number,
        across,
      );
      out[y * toWidth + x] = blend(above, below, down);
    });
  });
  return out;
}

const blend = (a: number, b: number, share: number): number => a + (b - a) * share;

function places(from: number, to: number): { low: number; high: number; share: number }[] {
  return Array.from({ length: to }, (_, i) => {
    const at = Math.min(Math.max(((i + 0.5) * from) / to - 0.5, 0), from - 1);
    const low = Math.floor(at);
    return { low, high: Math.min(low + 1, from - 1), share: at - low };
  });
}
