import { pascalPart } from '@/lib/core/schema/presets';
import type { Format } from '../format';
import { checked } from '../general/says';
import { stemOf } from '../names';
import { checkOwn } from '../tessera/check';
import { lost } from '../tessera/losses';
import { detect, read } from './read';
import { maskBytes, withObjects, write } from './write';

/** Of all masks of an image, unpacked. */
const MOST_BYTES = 200_000_000;

export const format: Format = {
  id: 'pascal-part',
  name: 'PASCAL-Part',
  summary: 'A MATLAB file per image with the masks of objects and their fine parts, and the pictures.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    let strange = 0;
    const drawn = withObjects(dataset);
    const problems = await checkOwn(
      drawn.dataset,
      {
        knows: pascalPart,
        readers: 'code that reads PASCAL-Part',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        name: (name) => (stemOf(name).includes('.') ? 'has a dot, where readers cut it off' : null),
        needsMasks: true,
        image: (image, found) => {
          if (!/^\d{4}_\d{6}$/.test(stemOf(image.name))) strange += 1;
          const bytes = maskBytes(image);
          if (bytes > MOST_BYTES)
            found.add(
              `The masks of an image take more than ${MOST_BYTES / 1e6} MB: the layout has a whole picture for every part, and readers hold all of them. Leave the image out, or scale it.`,
              `${image.name}: ${Math.ceil(bytes / 1e6)} MB`,
            );
        },
      },
      options,
    );
    return checked(problems, [
      ...drawn.losses(),
      'Parts that the release counts, such as wheel_1 and wheel_2, are one part here and get number 1.',
      ...(strange > 0
        ? [
            `${strange} names are not like 2008_000001; tools that take a number from the name cannot read them.`,
          ]
        : []),
      'The class of an image is that of its largest object.',
      lost.attributes,
      lost.absent,
      lost.provenance,
      lost.columns,
    ]);
  },
  write,
  reader: { detect, read },
};
