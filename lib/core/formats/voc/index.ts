import { intersectionArea } from '@/lib/core/mask';
import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { mediaTypeOf } from '../shared/write-files';
import { detect, open, read } from './read';
import { drawnObjects, MAX_OBJECTS, write } from './write';

export const format: Format = {
  id: 'voc',
  name: 'PASCAL VOC',
  summary: 'An XML of boxes for every picture, and palette PNGs of classes and objects.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'ignore', 'occluded', 'truncated'],
  holdsClasses: false,
  options: [],
  async check(dataset) {
    let overlapping = 0;
    let unions = 0;
    let partFlags = 0;
    let coded = 0;
    const problems = await checkDataset(dataset, {
      name: (name) => (/\s/.test(name) ? 'has a space, which lists of VOC cannot hold' : null),
      image(image, _, found) {
        const drawn = drawnObjects(image);
        if (drawn.length > MAX_OBJECTS)
          found.add(
            `An image has more than ${MAX_OBJECTS} objects, which one byte cannot number.`,
            image.name,
          );
        for (const { parts } of drawn) partFlags += parts.filter(({ flags }) => flags).length;
        unions += drawn.filter(({ isFromParts }) => isFromParts).length;
        const overlaps = drawn.some(({ mask: a }, i) =>
          drawn.slice(i + 1).some(({ mask: b }) => intersectionArea(a, b) > 0),
        );
        if (overlaps) overlapping += 1;
        if (mediaTypeOf(image) !== 'image/jpeg') coded += 1;
      },
    });
    if (dataset.schema.classes.length > MAX_OBJECTS)
      problems.add(`VOC numbers at most ${MAX_OBJECTS} classes.`, `${dataset.schema.classes.length} classes`);
    return toCheck(problems, [
      ...(dataset.schema.parts.length > 0 ? ['Parts keep their boxes; their masks are left out.'] : []),
      ...(dataset.schema.attributes.length > 0 ? ['Masks of attributes are left out.'] : []),
      ...(overlapping > 0
        ? [`${overlapping} images have objects that overlap: a pixel is of the first of them only.`]
        : []),
      ...(partFlags > 0 ? [`${partFlags} parts have flags, which VOC has for objects only.`] : []),
      ...(unions > 0
        ? [`${unions} objects without an outline are written as the union of their parts.`]
        : []),
      ...(coded > 0 ? [`${coded} pictures that are no JPEG are coded anew as JPEG of quality 95.`] : []),
      losses.provenance,
    ]);
  },
  write,
  reader: { detect, read, open },
};
