/** Change of colour between neighbours that is a clear edge: the sum over the channels of 0 … 255. */
const CLEAR = 120;

/** How strong an edge runs through each pixel, 0 … 1: the largest change of colour to a neighbour beside or below. */
export function edgeStrength(rgba: ArrayLike<number>, width: number, height: number): Float32Array {
  const strength = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const right = x < width - 1 ? change(rgba, at, at + 1) : 0;
      const below = y < height - 1 ? change(rgba, at, at + width) : 0;
      strength[at] = Math.min(1, Math.max(right, below) / CLEAR);
    }
  return strength;
}

function change(rgba: ArrayLike<number>, a: number, b: number): number {
  let sum = 0;
  for (let channel = 0; channel < 3; channel++)
    sum += Math.abs((rgba[4 * a + channel] as number) - (rgba[4 * b + channel] as number));
  return sum;
}
