import { rival10 } from '@/lib/core/schema/presets';
import type { Dataset, DatasetImage } from '../dataset';
import type { Format } from '../format';
import { toCheck } from '../shared/check';
import { checkPartLayout, layoutLosses } from '../shared/check-part-layout';
import { detect, read } from './read';
import { classOfWnid, sampleStem, write } from './write';

/** The dataset without the images that a format has no use for. `count` stays that of the version. */
const filterImages = (dataset: Dataset, keep: (image: DatasetImage) => boolean): Dataset => ({
  ...dataset,
  async *images() {
    for await (const image of dataset.images()) if (keep(image)) yield image;
  },
});

/** As the loader names what lies beside a picture. */
const RESERVED_NAMES = /merged_mask|\.JPEG./;

/** Splits that the loader opens. */
const SPLITS = ['train', 'test'];

/** The release has a vector of attributes for every picture. */
const hasAttributes = ({ attributes }: DatasetImage): boolean => attributes !== null;

export const format: Format = {
  id: 'rival10',
  name: 'RIVAL10',
  summary:
    'Pictures with vectors of 18 attributes, their masks, the masks of whole objects and the split, as the public loader reads them.',
  kind: 'own layout',
  options: [
    {
      name: 'size',
      kind: 'number',
      description:
        'Side of pictures and masks in pixels. The loader crops pictures of another size than 224 away from their masks; 0 keeps the stored size.',
      min: 0,
      max: 4096,
      isWhole: true,
      defaultValue: 224,
    },
  ],
  async check(dataset, options) {
    const known = new Set(rival10.attributes.map(({ id }) => id));
    const asked = { yes: 0, no: 0 };
    const elsewhere = new Map<string, number>();
    let opened = 0;
    for await (const image of dataset.images()) {
      asked[hasAttributes(image) ? 'yes' : 'no'] += 1;
      if (!hasAttributes(image)) continue;
      if (SPLITS.includes(image.split)) opened += 1;
      else elsewhere.set(image.split, (elsewhere.get(image.split) ?? 0) + 1);
    }
    const problems = await checkPartLayout(
      filterImages(dataset, hasAttributes),
      {
        knows: { classes: rival10.classes, parts: dataset.schema.parts },
        readers: 'the RIVAL10 loader',
        fileName: (image) => `${sampleStem(image)}.JPEG`,
        name: (name) =>
          RESERVED_NAMES.test(name)
            ? 'has merged_mask or .JPEG in it, which the loader takes for another file'
            : null,
        needsClass: true,
        usesWnid: true,
        image(image, found) {
          const owner = image.wnid === null ? null : classOfWnid(image.wnid);
          if (owner !== null && owner !== image.className)
            found.add(
              'A WordNet id is of another class than its image; the loader goes by the id.',
              `${image.name}: ${image.wnid} is ${owner}`,
            );
          for (const id of image.attributes?.present ?? [])
            if (!known.has(id))
              found.add('An attribute is none of the 18, which the loader has in a fixed order.', id);
          for (const { mask, id } of image.attributeMasks)
            if (mask.width !== image.width || mask.height !== image.height)
              found.add(
                'A mask is not of the size of its image, so that it lies outside of it.',
                `${image.name}: ${id}`,
              );
        },
      },
      options,
    );
    if (opened === 0 && elsewhere.size > 0)
      problems.add(
        'The RIVAL10 loader opens train and test, and neither has an image. Freeze a version with these, or export one fold (fold=1).',
        [...elsewhere.keys()].join(', '),
      );
    if (asked.yes === 0 && asked.no > 0)
      problems.add('No image was asked for its attributes: label some, and freeze again.', dataset.name);
    return toCheck(problems, [
      ...(asked.no > 0
        ? [
            `${asked.no} images that nobody was asked the attributes of are left out; ${asked.yes} are written.`,
          ]
        : []),
      ...[...elsewhere].map(
        ([split, count]) =>
          `The loader opens train and test only: ${count} of the images are in "${split}", which it does not see.`,
      ),
      ...(Number(options.size) > 0
        ? [
            `Pictures and masks are scaled to ${options.size} × ${options.size} pixels. A pixel of a mask is set if at least half of its area was.`,
          ]
        : []),
      'Colours are left out: the release has none.',
      'A WordNet id that is none of the twenty becomes the first of its class.',
      'Objects of an image become one, and their parts are left out.',
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write: (dataset, options, pictures) => write(filterImages(dataset, hasAttributes), options, pictures),
  reader: { detect, read },
};
