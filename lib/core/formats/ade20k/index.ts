import type { Format } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, isDrawnOn, layoutLosses } from '../shared/check-part-layout';
import { stemOf } from '../shared/write-files';
import { detect, read } from './read';
import { entriesOf, MAX_CLASSES, MAX_OBJECTS, write } from './write';

export const format: Format = {
  id: 'ade20k',
  name: 'ADE20K with parts',
  summary:
    'Per image a JSON of objects, parts and parts of parts, a PNG per instance, and coloured maps of each level.',
  kind: 'own layout',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [],
  async check(dataset, options) {
    let undrawn = 0;
    const problems = await checkPartLayout(
      dataset,
      {
        knows: dataset.schema,
        readers: 'code that reads ADE20K',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        name: (name) =>
          /_seg$|_parts_\d+$/.test(stemOf(name)) ? 'ends like the name of a map of the layout' : null,
        needsMasks: true,
        image(image, found) {
          if (!isDrawnOn(image)) undrawn += 1;
          const most = [0, 1, 2].map((level) =>
            entriesOf(image, dataset.schema).filter((e) => e.level === level),
          );
          for (const { length } of most)
            if (length > MAX_OBJECTS)
              found.add(
                `The blue channel of a map has ${MAX_OBJECTS} numbers for the objects of an image.`,
                `${image.name}: ${length}`,
              );
        },
      },
      options,
    );
    const names = dataset.schema.classes.length + dataset.schema.parts.length;
    if (names > MAX_CLASSES)
      problems.add(`The maps have ${MAX_CLASSES} numbers for names.`, `${names} names`);
    return toCheck(problems, [
      'Names have the numbers of objectnames.txt, not those of the 3,688 names of the release.',
      'Objects without an outline get the union of their parts.',
      'In the maps a pixel has one object, part and part of a part; the PNG of an instance has all its pixels.',
      'Polygons are left out: they are drawn by hand in the release.',
      ...(undrawn > 0 ? [`${undrawn} images have a file without objects.`] : []),
      'The flags crowd and truncated are attributes of the object, which the loaders pass on as text.',
      'Masks of attributes are left out.',
      layoutLosses.provenance,
    ]);
  },
  write,
  reader: { detect, read },
};
