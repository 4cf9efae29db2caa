/** Brightness, row-major, 0 … 255. */
export type Luminance = { readonly data: ArrayLike<number>; readonly width: number; readonly height: number };

/** What it costs a smart outline to pass through a pixel, row-major: FLOOR on a clear edge, much more elsewhere. */
export type EdgeCosts = {
  readonly costs: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Image pixels per pixel of this array; over 1 where the image was scaled down first. */
  readonly scale: number;
};

/** Of a pixel on a clear edge: not 0, so that of two equal edges the shorter way wins. */
const FLOOR = 4;
const MAX_COST = 120;

/** The share of non-flat pixels whose gradient is below what counts as a clear edge. */
const CLEAR_EDGE = 0.95;

export function edgeCosts(luminance: Luminance, scale = 1): EdgeCosts {
  const { width, height } = luminance;
  const gradient = sobel(luminance);
  const clear = clearEdge(gradient);
  const costs = new Uint8Array(width * height);
  for (let i = 0; i < costs.length; i++) {
    const weakness = 1 - Math.min(1, (gradient[i] as number) / clear);
    costs[i] = FLOOR + Math.round((MAX_COST - FLOOR) * weakness);
  }
  return { costs, width, height, scale };
}

/** Gradient magnitude; beyond the border the picture goes on as its last pixel. */
function sobel({ data, width, height }: Luminance): Float32Array {
  const gradient = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const up = width * Math.max(0, y - 1);
    const row = width * y;
    const down = width * Math.min(height - 1, y + 1);
    for (let x = 0; x < width; x++) {
      const left = Math.max(0, x - 1);
      const right = Math.min(width - 1, x + 1);
      const nw = data[up + left] as number;
      const ne = data[up + right] as number;
      const sw = data[down + left] as number;
      const se = data[down + right] as number;
      const gx = ne + se - nw - sw + 2 * ((data[row + right] as number) - (data[row + left] as number));
      const gy = sw + se - nw - ne + 2 * ((data[down + x] as number) - (data[up + x] as number));
      gradient[row + x] = Math.sqrt(gx * gx + gy * gy);
    }
  }
  return gradient;
}

/** A quantile, not the maximum: one specular highlight must not make all other edges look weak. */
function clearEdge(gradient: Float32Array): number {
  // 1020 · √2 is the largest answer of the Sobel operator on 0 … 255.
  const histogram = new Uint32Array(1444);
  let edges = 0;
  for (const value of gradient) {
    if (value < 1) continue;
    histogram[Math.floor(value)] = (histogram[Math.floor(value)] as number) + 1;
    edges++;
  }
  let below = 0;
  for (let value = 0; value < histogram.length; value++) {
    below += histogram[value] as number;
    if (edges > 0 && below >= CLEAR_EDGE * edges) return value + 1;
  }
  return 1;
}
