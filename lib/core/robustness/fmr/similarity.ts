import type { Picture } from '../picture';
import { gaussianBlur } from '../pixels/gaussian-blur';
import { luminance } from '../pixels/planes';

/** Of the bell that looks at a neighbourhood, in pixels. */
const SIGMA = 1.5;
const [C1, C2] = [0.01 ** 2, 0.03 ** 2];

/** Structural similarity of two pictures by their brightness (Wang et al. 2004): 1 where they are the same. */
export function similarity(a: Picture, b: Picture): number {
  const { width, height } = a;
  const [x, y] = [luminance(a), luminance(b)];
  const blur = (values: ArrayLike<number>) => gaussianBlur(values, width, height, SIGMA);
  const product = (p: Float32Array, q: Float32Array) =>
    Float64Array.from(p, (value, i) => value * (q[i] as number));
  const [mx, my] = [blur(x), blur(y)];
  const [xx, yy, xy] = [blur(product(x, x)), blur(product(y, y)), blur(product(x, y))];
  let sum = 0;
  for (let i = 0; i < mx.length; i++) {
    const [p, q] = [mx[i] as number, my[i] as number];
    const [vx, vy, both] = [(xx[i] as number) - p * p, (yy[i] as number) - q * q, (xy[i] as number) - p * q];
    sum += ((2 * p * q + C1) * (2 * both + C2)) / ((p * p + q * q + C1) * (vx + vy + C2));
  }
  return sum / mx.length;
}
