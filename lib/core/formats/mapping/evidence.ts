import type { Whole } from './propose';
import type { SourceCategory } from './statistics';

/** The supercategory of each category. Supercategories that form a cycle are left out with a remark. */
export function stateSupercategories(
  categories: readonly SourceCategory[],
  remarks: string[],
): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const { name, parent } of categories)
    if (parent !== undefined && parent !== '' && parent !== name) parents.set(name, parent);
  const cyclic = new Set<string>();
  for (const start of parents.keys()) {
    const path = [start];
    for (
      let at = parents.get(start);
      at !== undefined && path.length <= categories.length;
      at = parents.get(at)
    ) {
      if (at === start) {
        for (const each of path) cyclic.add(each);
        break;
      }
      path.push(at);
    }
  }
  if (cyclic.size > 0)
    remarks.push(
      `The supercategories of ${[...cyclic]
        .slice(0, 5)
        .map((name) => `"${name}"`)
        .join(', ')} form a cycle and are ignored.`,
    );
  for (const name of cyclic) parents.delete(name);
  return parents;
}

/**
 * A supercategory is the whole of a part only if it was annotated itself. Otherwise it is a kind of things: many tools
 * list "fruit" for "apple" and "pear", and nobody ever drew a fruit.
 */
export function supercategoryWhole(
  { name }: SourceCategory,
  parents: ReadonlyMap<string, string>,
  all: ReadonlyMap<string, SourceCategory>,
): Whole | null {
  const parent = parents.get(name);
  const whole = parent === undefined ? undefined : all.get(parent);
  if (parent === undefined || !whole) return null;
  const isDrawn = whole.annotations > 0 || (whole.count ?? 0) > 0;
  if (!isDrawn && all.get(name)?.isPart !== true) return null;
  return { name: parent, reason: `Its supercategory "${parent}" is a category itself.` };
}

/** Fewest annotations that geometry is derived from. */
const MIN_MEASURED = 3;
/** Share of the annotations that lie inside the whole. */
const ALWAYS = 0.95;
/** Below this share, a name alone does not make a part. */
const SELDOM = 0.5;

/** "car_wheel" is a part of "car", unless it usually lies outside of it. Of several prefixes, the longest counts. */
export function prefixWhole(
  { name, geometry }: SourceCategory,
  byLowerName: ReadonlyMap<string, SourceCategory>,
): Whole | null {
  for (let at = name.length - 1; at > 0; at--) {
    if (!/[_:/.-]/.test(name.charAt(at)) || /^[_:/.-]?\d*$/.test(name.slice(at))) continue;
    const other = byLowerName.get(name.slice(0, at).toLowerCase());
    if (!other || other.role !== undefined || (other.annotations === 0 && !other.count)) continue;
    const together = geometry?.together[other.name] ?? 0;
    if (together >= MIN_MEASURED && (geometry?.inside[other.name] ?? 0) < SELDOM * together) continue;
    return { name: other.name, reason: `Its name begins with the category "${other.name}".` };
  }
  return null;
}

/** A category that always lies inside another one is a part of it; of several, the smallest. */
export function geometricWhole(
  { geometry }: SourceCategory,
  all: ReadonlyMap<string, SourceCategory>,
): Whole | null {
  if (!geometry || geometry.measured < MIN_MEASURED) return null;
  const found = Object.entries(geometry.inside)
    .filter(([, inside]) => inside >= ALWAYS * geometry.measured)
    .map(([name, inside]) => ({ name, inside, share: all.get(name)?.geometry?.meanShare ?? 1 }))
    .sort((a, b) => a.share - b.share)[0];
  if (!found) return null;
  return {
    name: found.name,
    reason: `${found.inside} of ${geometry.measured} annotations lie inside "${found.name}".`,
  };
}
