/** The open targets of an image, and how many others are answered already or leased to another worker. */
export interface ImageShape {
  open: readonly string[];
  others: number;
}

/**
 * The targets of a gold image that are leased so that it looks like an image of the given shape. A fresh image gives
 * all of them. Of an image that is partly done, the gold image copies the same open targets or, where it has other
 * targets, their share. At least one target is gold.
 */
export function targetsToLease<T extends { target: string; goldId: string | null }>(
  all: readonly T[],
  shape: ImageShape,
  random: () => number,
): T[] {
  if (!all.some(({ goldId }) => goldId !== null)) return [];
  if (shape.others === 0) return [...all];
  const open = new Set(shape.open);
  const same = all.filter(({ target }) => open.has(target));
  if (same.length === open.size && same.some(({ goldId }) => goldId !== null)) return same;
  const share = open.size / (open.size + shape.others);
  const count = Math.max(1, Math.round(all.length * share));
  const keyed = all.map((value) => ({ value, key: random() })).sort((a, b) => a.key - b.key);
  const first = keyed.find(({ value }) => value.goldId !== null)?.value;
  const chosen = new Set(
    [first, ...keyed.map(({ value }) => value).filter((value) => value !== first)].slice(0, count),
  );
  return all.filter((value) => chosen.has(value));
}
