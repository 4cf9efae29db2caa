import type { Scene } from '@/lib/demo/scenes';
import type { AskedKind } from '../question';
import { crowds } from './crowds';
import { type Calibration, type Claim, calibrationOf } from './expected-error';
import { measureClaims, type Series, scenesOf } from './measure';

/** Seeds of gold scenes start here, so that no gold image is among the items. */
const GOLD_SEED = 500;

export interface CalibrationRun {
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
