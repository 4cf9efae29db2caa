import { gaussianBlur } from './gaussian-blur';

/** Shares of the steepest slope: a line starts above the high one and goes on above the low one. */
const HIGH = 0.3;
const LOW = 0.1;

/** Lines where brightness changes most, one pixel thin (Canny 1986): 1 on a line, 0 elsewhere. */
export function edgesOf(plane: ArrayLike<number>, width: number, height: number, sigma: number): Uint8Array {
  const { slopes, angles } = slopesOf(gaussianBlur(plane, width, height, sigma), width, height);
  const steepest = slopes.reduce((most, slope) => Math.max(most, slope), 0);
  const lines = new Uint8Array(width * height);
  // A flat picture has no lines; what rounding leaves of it must not become some.
  if (steepest < 1e-9) return lines;
  const isRidge = (i: number) => {
    const x = i % width;
    const y = (i - x) / width;
    const angle = angles[i] as number;
    const [dx, dy] = [Math.round(Math.cos(angle)), Math.round(Math.sin(angle))];
    const at = (cx: number, cy: number) =>
      cx < 0 || cy < 0 || cx >= width || cy >= height ? 0 : (slopes[cy * width + cx] as number);
    // Of two equal neighbours one is kept.
    return (slopes[i] as number) > at(x - dx, y - dy) && (slopes[i] as number) >= at(x + dx, y + dy);
  };
  const waiting: number[] = [];
  slopes.forEach((slope, i) => {
    if (slope < HIGH * steepest || !isRidge(i)) return;
    lines[i] = 1;
    waiting.push(i);
  });
  for (let i = waiting.pop(); i !== undefined; i = waiting.pop()) {
    const x = i % width;
    const y = (i - x) / width;
    for (let cy = Math.max(0, y - 1); cy <= Math.min(height - 1, y + 1); cy++)
      for (let cx = Math.max(0, x - 1); cx <= Math.min(width - 1, x + 1); cx++) {
        const next = cy * width + cx;
        if (lines[next] || (slopes[next] as number) < LOW * steepest || !isRidge(next)) continue;
        lines[next] = 1;
        waiting.push(next);
      }
  }
  return lines;
}

/** Steepness and direction by Sobel's masks. */
function slopesOf(plane: Float64Array, width: number, height: number) {
  const slopes = new Float64Array(plane.length);
  const angles = new Float64Array(plane.length);
  const at = (place: number) => plane[place] as number;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const above = y > 0 ? row - width : row;
    const below = y < height - 1 ? row + width : row;
    for (let x = 0; x < width; x++) {
      const left = x > 0 ? x - 1 : x;
      const right = x < width - 1 ? x + 1 : x;
      const corners = at(below + right) - at(above + left);
      const others = at(above + right) - at(below + left);
      const dx = corners + others + 2 * (at(row + right) - at(row + left));
      const dy = corners - others + 2 * (at(below + x) - at(above + x));
      slopes[row + x] = Math.hypot(dx, dy);
      angles[row + x] = Math.atan2(dy, dx);
    }
  }
  return { slopes, angles };
}
