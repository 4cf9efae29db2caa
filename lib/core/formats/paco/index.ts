import type { Format } from '../format';
import { checkDataset, losses, toCheck } from '../shared/check';
import { detect, read } from './read';
import { write } from './write';

export const format: Format = {
  id: 'paco',
  name: 'PACO',
  summary:
    'COCO files with categories such as "car:wheel", a link from every part to its object, and attributes of objects.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  holdsClasses: false,
  options: [
    {
      name: 'instances',
      kind: 'choice',
      description: 'How several instances of a part on one object are written.',
      values: [
        { value: 'separate', description: 'One annotation per instance.' },
        { value: 'merged', description: 'One annotation per part, as in the release.' },
      ],
      defaultValue: 'separate',
    },
  ],
  async check(dataset, { instances }) {
    let withInstances = 0;
    const problems = await checkDataset(dataset, {
      image: ({ objects }) => {
        if (objects.some(({ parts }) => parts.some((part) => part.instances))) withInstances += 1;
      },
    });
    const hasMasks = dataset.schema.attributes.some(({ kind }) => kind === 'localised');
    return toCheck(problems, [
      ...(hasMasks ? ['Masks of attributes are left out: an attribute is one of an object.'] : []),
      ...(instances === 'merged' && withInstances > 0
        ? [`Instances of a part are merged on ${withInstances} images.`]
        : []),
      ...(dataset.schema.attributes.length > 0 ? [ATTRIBUTES] : []),
      ...(dataset.schema.parts.some(({ parent }) => parent !== undefined) ? [SUB_PARTS] : []),
      ...(instances === 'merged' ? [losses.provenance] : []),
    ]);
  },
  write,
  reader: { detect, read },
};

const ATTRIBUTES = 'Attributes of an image are those of its first object; loaders read no others.';
const SUB_PARTS =
  'A part of a part is one of its object for loaders of PACO; only the schema file knows its parent.';
