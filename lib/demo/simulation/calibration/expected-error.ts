/** One label: how certain it claims to be, and whether it is right. */
export type Claim = { confidence: number; isRight: boolean };

export type Bin = {
  from: number;
  to: number;
  n: number;
  /** Mean confidence and share of right labels; null in an empty bin. */
  confidence: number | null;
  right: number | null;
};

export type Calibration = {
  n: number;
  confidence: number;
  right: number;
  /** Expected calibration error. */
  error: number;
  bins: Bin[];
};

/** As in the paper. */
const BINS = 15;

/**
 * Expected calibration error: the gap between mean confidence and share of right labels in bins of equal width,
 * weighted by the labels in each. Guo, Pleiss, Sun, Weinberger, "On calibration of modern neural networks", ICML
 * 2017, equation 3.
 */
export function calibrationOf(claims: readonly Claim[], count = BINS): Calibration {
  const places = Array.from({ length: count }, (): Claim[] => []);
  for (const claim of claims) places[Math.min(count - 1, Math.floor(claim.confidence * count))]?.push(claim);
  const bins = places.map(
    (own, i): Bin => ({
      from: i / count,
      to: (i + 1) / count,
      n: own.length,
      confidence: own.length > 0 ? meanConfidence(own) : null,
      right: own.length > 0 ? shareRight(own) : null,
    }),
  );
  const gaps = bins.map(({ n, confidence, right }) => n * Math.abs((confidence ?? 0) - (right ?? 0)));
  return {
    n: claims.length,
    confidence: meanConfidence(claims),
    right: shareRight(claims),
    error: gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, claims.length),
    bins,
  };
}

const meanConfidence = (claims: readonly Claim[]): number =>
  claims.reduce((sum, claim) => sum + claim.confidence, 0) / Math.max(1, claims.length);

const shareRight = (claims: readonly Claim[]): number =>
  claims.filter(({ isRight }) => isRight).length / Math.max(1, claims.length);
