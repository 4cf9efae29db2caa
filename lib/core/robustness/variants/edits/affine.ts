/** x′ = a·x + b·y + e and y′ = c·x + d·y + f, of centres of pixels; y grows downwards. */
export interface Affine {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

export const unmoved: Affine = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };

export const isUnmoved = ({ a, b, c, d, e, f }: Affine): boolean =>
  a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;

export const movedBy = (dx: number, dy: number): Affine => ({ ...unmoved, e: dx, f: dy });

/** Scaled by k, with a point that goes to another. */
export const scaledTo = (
  k: number,
  [x, y]: readonly [number, number],
  [toX, toY]: readonly [number, number],
): Affine => ({ a: k, b: 0, c: 0, d: k, e: toX - k * x, f: toY - k * y });

/** Turned about a point; counter-clockwise as one sees it. */
export function turnedAbout(degrees: number, [x, y]: readonly [number, number]): Affine {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { a: cos, b: sin, c: -sin, d: cos, e: x - cos * x - sin * y, f: y + sin * x - cos * y };
}

/** Left and right exchanged about a column. */
export const flippedAbout = (x: number): Affine => ({ ...unmoved, a: -1, e: 2 * x });

export const applied = ({ a, b, c, d, e, f }: Affine, x: number, y: number): [number, number] => [
  a * x + b * y + e,
  c * x + d * y + f,
];

export function inverted({ a, b, c, d, e, f }: Affine): Affine {
  const size = a * d - b * c;
  return {
    a: d / size,
    b: -b / size,
    c: -c / size,
    d: a / size,
    e: (b * f - d * e) / size,
    f: (c * e - a * f) / size,
  };
}

/** How much longer lengths become. */
export const stretchOf = ({ a, b, c, d }: Affine): number => Math.sqrt(Math.abs(a * d - b * c));
