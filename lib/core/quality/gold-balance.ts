import { normalCdf } from './distributions';

/** A class with its share of the images and of the gold images that are used for hidden checks. */
export interface ClassSupply {
  className: string | null;
  images: number;
  gold: number;
}

export interface ShortClass {
  className: string | null;
  imageShare: number;
  goldShare: number;
  /** Gold images that would bring it to its share of the images. */
  missing: number;
}

/** Below this part of its fair share, a class runs out of gold well before the others. */
const EXPECTED_SHARE = 0.5;
/** Rare classes are left out: a worker meets few of their images. */
const COMMON = 0.05;

/**
 * Lists common classes that have much less gold than their share of the images. A worker who has met all gold of a
 * common class is checked on other classes only, which a careful observer could notice.
 */
export function shortClasses(supply: readonly ClassSupply[]): ShortClass[] {
  const images = supply.reduce((sum, each) => sum + each.images, 0);
  const gold = supply.reduce((sum, each) => sum + each.gold, 0);
  if (images === 0 || gold === 0) return [];
  return supply
    .map((each) => ({
      className: each.className,
      imageShare: each.images / images,
      goldShare: each.gold / gold,
      missing: Math.ceil((gold * each.images) / images) - each.gold,
    }))
    .filter(({ imageShare, goldShare }) => imageShare >= COMMON && goldShare < EXPECTED_SHARE * imageShare)
    .sort((a, b) => b.missing - a.missing);
}

/** One scored check: how many workers had met the gold item before, and whether the check was passed. */
export interface Exposure {
  goldId: string;
  /** Earlier workers of the same cohort who had met the item. */
  before: number;
  passed: boolean;
}

export interface ExposureTrend {
  n: number;
  /** Of the trend, positive when later workers pass more often. */
  z: number;
  /** One-sided probability of a trend this strong if earlier exposure did not matter. */
  p: number;
  /** Pass rates of the first and of the second half of the exposures of each item. */
  early: number;
  late: number;
}

/** Checks needed before a trend is reported. */
const MIN_CHECKS = 40;

/**
 * Tests whether earlier exposure predicts passing, within gold items: a stratified Cochran-Armitage trend test
 * (Armitage 1955; strata combined as by Mantel 1963). Items differ in difficulty, so exposures are compared only
 * with others of the same item. Null while there is too little to tell.
 */
export function exposureTrend(exposures: readonly Exposure[]): ExposureTrend | null {
  if (exposures.length < MIN_CHECKS) return null;
  let observed = 0;
  let variance = 0;
  const halves = { early: [0, 0], late: [0, 0] };
  for (const stratum of groupByGold(exposures)) {
    const n = stratum.length;
    const passed = stratum.filter((each) => each.passed).length;
    const mean = stratum.reduce((sum, { before }) => sum + before, 0) / n;
    for (const { before, passed: hit } of stratum) {
      observed += (before - mean) * Number(hit);
      if (before === mean) continue;
      const half = before < mean ? halves.early : halves.late;
      half[0] = (half[0] ?? 0) + Number(hit);
      half[1] = (half[1] ?? 0) + 1;
    }
    if (n < 2) continue;
    const spread = stratum.reduce((sum, { before }) => sum + (before - mean) ** 2, 0);
    variance += (passed * (n - passed) * spread) / (n * (n - 1));
  }
  if (variance === 0) return null;
  const z = observed / Math.sqrt(variance);
  const rate = ([hits = 0, all = 0]: number[]) => (all === 0 ? 0 : hits / all);
  return { n: exposures.length, z, p: 1 - normalCdf(z), early: rate(halves.early), late: rate(halves.late) };
}

/** The alert threshold: one false alarm in a thousand looks. */
export const LEAK_P = 0.001;

function groupByGold(exposures: readonly Exposure[]): Exposure[][] {
  const groups = new Map<string, Exposure[]>();
  for (const each of exposures) {
    const group = groups.get(each.goldId);
    if (group) group.push(each);
    else groups.set(each.goldId, [each]);
  }
  return [...groups.values()];
}
