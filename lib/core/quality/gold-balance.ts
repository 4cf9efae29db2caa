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
const FAIR_PART = 0.5;
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
    .filter(({ imageShare, goldShare }) => imageShare >= COMMON && goldShare < FAIR_PART * imageShare)
    .sort((a, b) => b.missing - a.missing);
}
