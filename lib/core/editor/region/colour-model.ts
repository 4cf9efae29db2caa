/** Bins per channel of a colour histogram. */
const BINS = 16;
const SHIFT = 4;

/** Binomial weights: a colour also speaks for its neighbours, as a scribble shows only a few of an object's. */
const KERNEL = [1, 4, 6, 4, 1] as const;

/** Share of unseen colours in both histograms; keeps a colour that neither has at one half. */
const UNSEEN = 1e-4;

/** For each pixel the chance, by its colour alone, that it belongs to the foreground. */
export function foregroundChance(
  rgba: ArrayLike<number>,
  foreground: ArrayLike<number>,
  background: ArrayLike<number>,
): Float32Array {
  const inside = histogram(rgba, foreground);
  const outside = histogram(rgba, background);
  return Float32Array.from({ length: foreground.length }, (_, i) => {
    const bin = binOf(rgba, i);
    const f = (inside[bin] as number) + UNSEEN;
    return f / (f + (outside[bin] as number) + UNSEEN);
  });
}

function histogram(rgba: ArrayLike<number>, marked: ArrayLike<number>): Float32Array {
  let bins = new Float32Array(BINS ** 3);
  let total = 0;
  for (let i = 0; i < marked.length; i++) {
    if (!marked[i]) continue;
    const bin = binOf(rgba, i);
    bins[bin] = (bins[bin] as number) + 1;
    total++;
  }
  for (const stride of [1, BINS, BINS * BINS]) bins = smooth(bins, stride);
  const scale = total === 0 ? 0 : 1 / total;
  return bins.map((count) => count * scale);
}

function smooth(bins: Float32Array, stride: number): Float32Array<ArrayBuffer> {
  return Float32Array.from(bins, (_, bin) => {
    const at = Math.floor(bin / stride) % BINS;
    let sum = 0;
    let weights = 0;
    KERNEL.forEach((weight, k) => {
      const offset = k - 2;
      if (at + offset < 0 || at + offset >= BINS) return;
      sum += weight * (bins[bin + offset * stride] as number);
      weights += weight;
    });
    return sum / weights;
  });
}

function binOf(rgba: ArrayLike<number>, pixel: number): number {
  const red = (rgba[4 * pixel] as number) >> SHIFT;
  const green = (rgba[4 * pixel + 1] as number) >> SHIFT;
  const blue = (rgba[4 * pixel + 2] as number) >> SHIFT;
  return (red * BINS + green) * BINS + blue;
}
