import type { Scene } from '@/lib/demo/scenes';
import { crowds, measureClaims, type Series, scenesOf } from './measure-behaviour';
import type { AskedKind } from './question';

/** Seeds of gold scenes start here, so that no gold image is among the items. */
const GOLD_SEED = 500;

interface CalibrationRun {
  seeds: readonly number[];
  /** Items per crowd, stage kind and seed. */
  items: number;
  /** Different images that items and gold are drawn from, per seed. */
  images: number;
  gold: number;
  overlap: number;
  kinds?: readonly AskedKind[];
}

export type SeriesResult = Calibration & {
  series: Series;
  /** Expected calibration error within each crowd. */
  byCrowd: Record<string, number>;
};

const allKinds: readonly AskedKind[] = ['attributes', 'oracle', 'object-mask', 'part-mask'];

/** Measures the calibration of reported confidence for each kind of stage. The same run gives the same figures. */
export function runCalibration(run: CalibrationRun): SeriesResult[] {
  const pools = run.seeds.map((seed): { seed: number; scenes: Scene[]; gold: Scene[] } => ({
    seed,
    scenes: scenesOf(run.images, seed),
    gold: scenesOf(run.gold, GOLD_SEED + seed),
  }));
  const claims = new Map<Series, Map<string, Claim[]>>();
  for (const stageKind of run.kinds ?? allKinds)
    for (const crowd of crowds)
      for (const { seed, scenes, gold } of pools) {
        const { items, overlap } = run;
        const measured = measureClaims({ stageKind, crowd, scenes, gold, items, overlap, seed });
        for (const [series, list] of Object.entries(measured) as [Series, Claim[]][]) {
          const byCrowd = claims.get(series) ?? new Map<string, Claim[]>();
          byCrowd.set(crowd.name, [...(byCrowd.get(crowd.name) ?? []), ...list]);
          claims.set(series, byCrowd);
        }
      }
  return [...claims].map(([series, byCrowd]) => ({
    series,
    ...calibrationOf([...byCrowd.values()].flat()),
    byCrowd: Object.fromEntries([...byCrowd].map(([name, list]) => [name, calibrationOf(list).error])),
  }));
}

/** One label: how certain it claims to be, and whether it is right. */
export type Claim = { confidence: number; isRight: boolean };

type Bin = {
  from: number;
  to: number;
  n: number;
  /** Mean confidence and share of right labels; null in an empty bin. */
  confidence: number | null;
  right: number | null;
};

type Calibration = {
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
