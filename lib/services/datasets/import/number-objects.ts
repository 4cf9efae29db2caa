import type { ObjectLabel } from '@/lib/core/formats/dataset';
import { area, intersectionArea, iou, type Mask, merge } from '@/lib/core/mask';

/** An object that an image is asked about already, as far as it is drawn. */
export interface KnownObject {
  className: string | null;
  instance: number;
  outline: Mask | null;
  parts: readonly Mask[];
}

/** Two drawings of one thing share more than half of what they cover. */
const SAME = 0.5;

/**
 * Numbers that objects get in an image of a class. One that is drawn there already keeps its number, so that nothing
 * doubles when a picture is in two label files. Else the first of the image's class is the one that the picture is of,
 * and all others are numbered from 2.
 */
export function numberObjects(
  objects: readonly ObjectLabel[],
  className: string | null,
  known: readonly KnownObject[] = [],
): ObjectLabel[] {
  const alone = numbered(objects, className);
  if (known.length === 0) return alone;
  const found = matched(alone, known);
  let isFirstFree = !known.some(({ instance }) => instance === 1);
  let last = known.reduce((most, { instance }) => Math.max(most, instance), 1);
  const place = (object: ObjectLabel, at: number): number => {
    const same = found.get(at);
    if (same !== undefined) return same;
    if (!isFirstFree || className === null || object.className !== className) return ++last;
    isFirstFree = false;
    return 1;
  };
  return alone.map((object, at) => ({ ...object, instance: place(object, at) }));
}

function numbered(objects: readonly ObjectLabel[], className: string | null): ObjectLabel[] {
  const main = objects.findIndex((object) => object.className === className);
  const ordered =
    main > 0 ? [objects[main] as ObjectLabel, ...objects.filter((_, i) => i !== main)] : objects;
  const isInOrder =
    main === 0 &&
    ordered.every(({ instance }, i) =>
      i === 0 ? instance === 1 : instance > (ordered[i - 1]?.instance ?? 0),
    );
  if (isInOrder) return [...ordered];
  const from = main < 0 ? 2 : 1;
  return ordered.map((object, index) => ({ ...object, instance: from + index }));
}

/** Places among the objects, with the number of the known one that each is; the most alike first. */
function matched(objects: readonly ObjectLabel[], known: readonly KnownObject[]): Map<number, number> {
  const theirs = known.map((object) => ({ ...object, whole: whole(object.outline, object.parts) }));
  const pairs = objects.flatMap(({ className, instance, outline, parts }, at) => {
    const line = outline?.mask ?? null;
    const drawn = parts.map(({ mask }) => mask);
    const mine = { instance, outline: line, whole: whole(line, drawn) };
    return theirs
      .filter((their) => their.className === className)
      .map((their) => ({ at, instance: their.instance, likeness: likeness(mine, their) }))
      .filter((pair) => pair.likeness > SAME);
  });
  pairs.sort((a, b) => b.likeness - a.likeness || a.at - b.at || a.instance - b.instance);
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, instance } of pairs) {
    if (found.has(at) || taken.has(instance)) continue;
    found.set(at, instance);
    taken.add(instance);
  }
  return found;
}

interface Drawn {
  instance: number;
  outline: Mask | null;
  whole: Mask | null;
}

/** What nobody drew is known by its number alone. Parts alone cover less than their object: then it counts how much of the smaller lies in the larger. */
function likeness(mine: Drawn, their: Drawn): number {
  if (!mine.whole || !their.whole) return mine.instance === their.instance ? SAME + 1e-9 : 0;
  if (mine.outline && their.outline)
    return sameSize(mine.outline, their.outline) ? iou(mine.outline, their.outline) : 0;
  if (!sameSize(mine.whole, their.whole)) return 0;
  const smaller = Math.min(area(mine.whole), area(their.whole));
  return smaller === 0 ? 0 : intersectionArea(mine.whole, their.whole) / smaller;
}

function whole(outline: Mask | null, parts: readonly Mask[]): Mask | null {
  const [first] = parts;
  if (outline || !first) return outline;
  return merge(parts.filter((part) => sameSize(part, first)));
}

const sameSize = (a: Mask, b: Mask): boolean => a.width === b.width && a.height === b.height;
