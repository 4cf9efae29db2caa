/** The middle of a plane, enlarged to all of it. */
export function zoomed(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  factor: number,
): Float64Array {
  const across = placesOf(width, factor);
  const down = placesOf(height, factor);
  const out = new Float64Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const top = (down.low[y] as number) * width;
    const bottom = (down.high[y] as number) * width;
    const share = down.share[y] as number;
    for (let x = 0; x < width; x++, i++) {
      const left = across.low[x] as number;
      const right = across.high[x] as number;
      const part = across.share[x] as number;
      const a = plane[top + left] as number;
      const c = plane[bottom + left] as number;
      const above = a + ((plane[top + right] as number) - a) * part;
      const below = c + ((plane[bottom + right] as number) - c) * part;
      out[i] = above + (below - above) * share;
    }
  }
  return out;
}

/** Between which two places of a line each place of the enlarged one lies, and how far on. */
function placesOf(n: number, factor: number) {
  const [low, high, share] = [new Int32Array(n), new Int32Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    const at = (n - 1) / 2 + (i - (n - 1) / 2) / factor;
    low[i] = Math.floor(at);
    high[i] = Math.min(Math.floor(at) + 1, n - 1);
    share[i] = at - Math.floor(at);
  }
  return { low, high, share };
}
