import { area, type Mask } from '@/lib/core/mask';
import { pascalPartGrouped } from '@/lib/core/schema/presets';
import type { DatasetImage, ObjectLabel } from '../dataset';
import { objectMask } from '../tessera/layers';

export const pascalGroupsRule =
  'An image is of the class of its largest object among all twenty classes, and is left out when that is none of aeroplane, bird, car, cat and dog. The largest is found by the masks as they were drawn, also where boxes or no masks at all are written. Fine parts are merged to three per class. Where parts overlap the first keeps the pixel: parts in the order of the table, the largest object first, then the others. Pixels of an object without a part are background.';

const tokens = pascalPartGrouped.parts.map(({ id, classes, codes, merges }) => ({
  id,
  className: classes[0] as string,
  mask: codes?.mask as number,
  tokens: (merges ?? []).map((part) => part.slice(part.indexOf(':') + 1)),
}));

/** The merged part that a part of the release belongs to: one of its tokens is in the part's name. */
export function groupOfPart(className: string, partName: string): { id: string; mask: number } | null {
  const found = tokens.find(
    (group) => group.className === className && group.tokens.some((token) => partName.includes(token)),
  );
  return found ? { id: found.id, mask: found.mask } : null;
}

/** Largest by its pixels, as drawn; of equals the first. Null where nothing was drawn. */
export function largestObject({
  objects: written,
  original,
}: Pick<DatasetImage, 'objects' | 'original'>): ObjectLabel | null {
  const objects = original?.objects ?? written;
  let best: ObjectLabel | null = null;
  let most = 0;
  for (const object of objects) {
    const mask = objectMask(object);
    const size = mask ? area(mask) : 0;
    if (size > most) {
      best = object;
      most = size;
    }
  }
  return best;
}

export interface GroupedImage {
  className: string;
  /** Ids 1 to 15 of the part-model code, from the lowest up: later ones are painted over earlier ones. */
  layers: { mask: Mask; value: number }[];
}

/** Takes fine parts of the release and merged parts alike; null where the image is of no class that the paper uses. */
export function groupParts(image: DatasetImage): GroupedImage | null {
  const main = largestObject(image);
  const className = main?.className ?? (main ? null : image.className);
  if (!className || !pascalPartGrouped.classes.some(({ id }) => id === className)) return null;
  const isMain = ({ instance }: ObjectLabel) => instance === main?.instance;
  const ordered = [...image.objects.filter(isMain), ...image.objects.filter((object) => !isMain(object))];
  const firstKeeps = ordered.flatMap((object) =>
    object.parts
      .flatMap(({ id, mask }) => {
        const value = object.className === null ? undefined : maskIdOf(object.className, id);
        return value === undefined ? [] : [{ mask, value }];
      })
      .sort((a, b) => a.value - b.value),
  );
  return { className, layers: firstKeeps.reverse() };
}

function maskIdOf(className: string, partId: string): number | undefined {
  const merged = tokens.find(({ id }) => id === partId);
  return merged?.mask ?? groupOfPart(className, partId.slice(partId.indexOf(':') + 1))?.mask;
}
