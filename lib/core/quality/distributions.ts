/** ln Γ(x) for x > 0 by Lanczos' approximation (g = 7, nine terms), good to about 15 digits. */
function lnGamma(x: number): number {
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const z = x - 1;
  const t = z + 7.5;
  const series = terms.reduce((sum, term, i) => sum + term / (z + i + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(series);
}

/** P(X ≤ x) for X ~ Beta(a, b): the regularised incomplete beta function (DLMF 8.17). */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on this side of the mean; the other is its mirror image.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const lnFront = lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return (Math.exp(lnFront) / a) * betaFraction(x, a, b);
}

/** The continued fraction DLMF 8.17.22, by the modified method of Lentz. */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1) || tiny);
  let value = d;
  const step = (term: number) => {
    d = 1 / (1 + term * d || tiny);
    c = 1 + term / c || tiny;
    value *= c * d;
    return Math.abs(c * d - 1) < 1e-14;
  };
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    step(even);
    if (step(odd)) break;
  }
  return value;
}

/** P(at most `k` of `n`) when each succeeds with probability `p`. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return betaCdf(1 - p, n - k, k + 1);
}

/** The x with P(X ≤ x) = p for X ~ Beta(a, b). */
export function betaQuantile(p: number, a: number, b: number): number {
  return bisect((x) => betaCdf(x, a, b) < p, 0, 1);
}

const studentQuantiles = new Map<string, number>();

/**
 * The t with P(T ≤ t) = p for Student's T with `df` degrees of freedom; p above one half. Kept once found: the
 * same few are asked for again and again.
 */
export function studentQuantile(p: number, df: number): number {
  const key = `${p} ${df}`;
  const upperTail = (t: number) => betaCdf(df / (df + t * t), df / 2, 0.5) / 2;
  const found = studentQuantiles.get(key) ?? bisect((t) => upperTail(t) > 1 - p, 0, 1000);
  studentQuantiles.set(key, found);
  return found;
}

/** The place between `low` and `high` where `isBelow` turns false, to 15 digits. */
function bisect(isBelow: (x: number) => boolean, low: number, high: number): number {
  let [from, to] = [low, high];
  for (let i = 0; i < 60; i++) {
    const middle = (from + to) / 2;
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** Of the standard normal distribution: Abramowitz and Stegun 7.1.26, absolute error below 1.5e-7. */
export function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const poly =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const tail = (poly * Math.exp(-x * x)) / 2;
  return z < 0 ? tail : 1 - tail;
}
