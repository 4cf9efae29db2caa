/** Less is no motion, and would divide by zero. */
const SHORTEST = 1e-3;

/** As a camera that moves while it looks: a tail to one side, half a bell of `sigma` pixels, 2 · radius long. */
export function motionBlur(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  { radius, sigma, degrees }: { radius: number; sigma: number; degrees: number },
): Float64Array {
  const spread = Math.max(sigma, SHORTEST);
  const weights = Array.from({ length: 2 * Math.round(radius) + 1 }, (_, i) =>
    Math.exp(-(i * i) / (2 * spread * spread)),
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  const angle = (degrees * Math.PI) / 180;
  const out = new Float64Array(width * height);
  weights.forEach((weight, i) => {
    const across = shifted(width, i * Math.cos(angle));
    const down = shifted(height, i * Math.sin(angle));
    // The four pixels that a shifted one lies between have the same weights everywhere.
    const part = weight / sum;
    const [a, b] = [part * (1 - across.share) * (1 - down.share), part * across.share * (1 - down.share)];
    const [c, d] = [part * (1 - across.share) * down.share, part * across.share * down.share];
    for (let y = 0, at = 0; y < height; y++) {
      const top = (down.low[y] as number) * width;
      const bottom = (down.high[y] as number) * width;
      for (let x = 0; x < width; x++, at++) {
        const left = across.low[x] as number;
        const right = across.high[x] as number;
        out[at] =
          (out[at] as number) +
          a * (plane[top + left] as number) +
          b * (plane[top + right] as number) +
          c * (plane[bottom + left] as number) +
          d * (plane[bottom + right] as number);
      }
    }
  });
  return out;
}

/** A line moved by a part of a pixel; beyond its ends it goes on as it ends. */
function shifted(n: number, by: number): { low: Int32Array; high: Int32Array; share: number } {
  const whole = Math.floor(by);
  const within = (at: number) => Math.min(Math.max(at, 0), n - 1);
  return {
    low: Int32Array.from({ length: n }, (_, i) => within(i + whole)),
    high: Int32Array.from({ length: n }, (_, i) => within(i + whole + 1)),
    share: by - whole,
  };
}
