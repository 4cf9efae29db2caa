import type { Rng } from '../random';

const WIBBLE = 100;

/**
 * Plasma noise by the diamond-square algorithm (Fournier, Fussell, Carpenter 1982) on a torus, from 0 to 1, cropped to
 * width × height. The amplitude is squared at each step as in the fog of ImageNet-C.
 */
export function plasmaNoise(width: number, height: number, decay: number, rng: Rng): Float64Array {
  const size = 2 ** Math.ceil(Math.log2(Math.max(width, height)));
  const map = new Float64Array(size * size);
  // The size is a power of two: indices wrap around.
  const at = (x: number, y: number) => map[(y & (size - 1)) * size + (x & (size - 1))] as number;
  let wibble = WIBBLE;
  const set = (x: number, y: number, sum: number) => {
    map[y * size + x] = sum / 4 + wibble * wibble * (2 * rng.unit() - 1);
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
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of map) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  const range = max - min || 1;
  return Float64Array.from({ length: width * height }, (_, i) => {
    const x = i % width;
    return (at(x, (i - x) / width) - min) / range;
  });
}

/** Real and imaginary parts. */
interface Complex {
  re: Float64Array;
  im: Float64Array;
}

const zeros = (n: number): Complex => ({ re: new Float64Array(n), im: new Float64Array(n) });

/** Discrete Fourier transform of length n: radix 2, with direct summation for the odd factor. */
export function createFourierTransform(n: number): (from: Complex) => Complex {
  const turns = zeros(n);
  for (let k = 0; k < n; k++) {
    turns.re[k] = Math.cos((2 * Math.PI * k) / n);
    turns.im[k] = -Math.sin((2 * Math.PI * k) / n);
  }
  /** Every `stride`-th value from `start` on, into `length` values at `to`. */
  const transform = (
    from: Complex,
    start: number,
    stride: number,
    into: Complex,
    to: number,
    length: number,
  ) => {
    if (length % 2 === 1) {
      for (let k = 0; k < length; k++) {
        let re = 0;
        let im = 0;
        for (let i = 0; i < length; i++) {
          const turn = ((k * i) % length) * stride;
          const at = start + i * stride;
          const cos = turns.re[turn] as number;
          const sin = turns.im[turn] as number;
          re += cos * (from.re[at] as number) - sin * (from.im[at] as number);
          im += cos * (from.im[at] as number) + sin * (from.re[at] as number);
        }
        into.re[to + k] = re;
        into.im[to + k] = im;
      }
      return;
    }
    const half = length / 2;
    transform(from, start, 2 * stride, into, to, half);
    transform(from, start + stride, 2 * stride, into, to + half, half);
    for (let k = 0; k < half; k++) {
      const cos = turns.re[k * stride] as number;
      const sin = turns.im[k * stride] as number;
      const [even, odd] = [to + k, to + half + k];
      const re = cos * (into.re[odd] as number) - sin * (into.im[odd] as number);
      const im = cos * (into.im[odd] as number) + sin * (into.re[odd] as number);
      into.re[odd] = (into.re[even] as number) - re;
      into.im[odd] = (into.im[even] as number) - im;
      into.re[even] = (into.re[even] as number) + re;
      into.im[even] = (into.im[even] as number) + im;
    }
  };
  return (from) => {
    const into = zeros(n);
    transform(from, 0, 1, into, 0, n);
    return into;
  };
}

/** Mean amplitude of the Fourier spectrum, independent of the size: a measure of visual complexity. */
export function spectralComplexity(plane: ArrayLike<number>, width: number, height: number): number {
  const [alongRows, alongColumns] = [createFourierTransform(width), createFourierTransform(height)];
  const columns = Array.from({ length: width }, () => zeros(height));
  for (let y = 0; y < height; y++) {
    const row = zeros(width);
    for (let x = 0; x < width; x++) row.re[x] = plane[y * width + x] as number;
    const { re, im } = alongRows(row);
    columns.forEach((column, x) => {
      column.re[y] = re[x] as number;
      column.im[y] = im[x] as number;
    });
  }
  let sum = 0;
  for (const column of columns) {
    const { re, im } = alongColumns(column);
    for (let y = 0; y < height; y++) sum += Math.sqrt((re[y] as number) ** 2 + (im[y] as number) ** 2);
  }
  return sum / (width * height) ** 1.5;
}
