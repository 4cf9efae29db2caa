import type { Stream } from '../random/stream';

const WIBBLE = 100;

/**
 * Clouds by the diamond-square method (Fournier, Fussell, Carpenter 1982) on a torus, from 0 to 1, cut to width × height.
 * The chance at each step is of the square of what `decay` divides, as the published fog has it.
 */
export function plasma(width: number, height: number, decay: number, chance: Stream): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(width, height)));
  const map = new Float64Array(size * size);
  // The size is a power of two: places beyond an edge come in at the other one.
  const at = (x: number, y: number) => map[(y & (size - 1)) * size + (x & (size - 1))] as number;
  let wibble = WIBBLE;
  const set = (x: number, y: number, sum: number) => {
    map[y * size + x] = sum / 4 + wibble * wibble * (2 * chance.unit() - 1);
  };
  for (let step = size; step >= 2; step /= 2) {
    const half = step / 2;
    for (let y = 0; y < size; y += step)
      for (let x = 0; x < size; x += step)
        set(x + half, y + half, at(x, y) + at(x + step, y) + at(x, y + step) + at(x + step, y + step));
    for (let y = 0; y < size; y += half)
      for (let x = y % step === 0 ? half : 0; x < size; x += step)
        set(x, y, at(x - half, y) + at(x + half, y) + at(x, y - half) + at(x, y + half));
    wibble /= decay;
  }
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of map) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const range = most - least || 1;
  return Float64Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    return (at(x, (i - x) / width) - least) / range;
  });
}
