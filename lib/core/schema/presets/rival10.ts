import type { AttributeKind, DatasetSchema, SchemaAttribute, SchemaClass } from '../types';

/** Order of the class index in the released label mapping; each class pools two ImageNet classes. */
const CLASSES: ReadonlyArray<readonly [id: string, definition: string, wnids: string[]]> = [
  ['truck', 'A goods vehicle: moving van or semi-trailer.', ['n03796401', 'n04467665']],
  ['car', 'A passenger car: estate or convertible.', ['n02814533', 'n03100240']],
  ['plane', 'An aeroplane: airliner or military.', ['n02690373', 'n04552348']],
  ['ship', 'A large vessel: ocean liner or container ship.', ['n03673027', 'n03095699']],
  ['cat', 'A domestic cat: Persian or Egyptian.', ['n02123394', 'n02124075']],
  ['dog', 'A dog: Labrador or golden retriever.', ['n02099712', 'n02099601']],
  ['equine', 'A horse or a zebra.', ['n02389026', 'n02391049']],
  ['deer', 'A gazelle or an impala.', ['n02423022', 'n02422699']],
  ['frog', 'A frog: tailed frog or tree frog.', ['n01644900', 'n01644373']],
  ['bird', 'A finch: goldfinch or house finch.', ['n01531178', 'n01532829']],
];

/** Order of the 18 columns in the released attribute vectors. */
const ATTRIBUTES: ReadonlyArray<readonly [id: string, kind: AttributeKind, definition: string]> = [
  [
    'long-snout',
    'localised',
    'A muzzle that clearly stands out from the face. Draw the muzzle, not the whole head.',
  ],
  ['wings', 'localised', 'Wings of a bird or a plane, folded or spread. Draw every wing that can be seen.'],
  ['wheels', 'localised', 'Wheels with their tyres. Draw each wheel that can be seen, also half of one.'],
  [
    'text',
    'localised',
    'Readable or unreadable writing on the object. Draw the patch that the letters fill.',
  ],
  ['horns', 'localised', 'Horns or antlers, from the head to the tip.'],
  ['floppy-ears', 'localised', 'Ears that hang down. An animal with floppy ears also has ears.'],
  ['ears', 'localised', 'Outer ears of an animal, hanging or upright.'],
  ['colored-eyes', 'localised', 'Eyes that are neither black nor brown. Draw the eyes only.'],
  ['tail', 'localised', 'The tail of an animal or the tail unit of a plane.'],
  ['mane', 'localised', 'The long hair along the neck of a horse or a zebra.'],
  ['beak', 'localised', 'The beak of a bird, both halves.'],
  ['hairy', 'whole-object', 'Fur or hair covers a good part of the object.'],
  ['metallic', 'whole-object', 'The surface looks like metal, bare or painted.'],
  ['rectangular', 'whole-object', 'Box-like parts: straight edges that meet in corners.'],
  ['wet', 'whole-object', 'The object is moist or stands, swims or floats in water.'],
  ['long', 'whole-object', 'Clearly longer than a person is tall.'],
  ['tall', 'whole-object', 'Clearly taller than a person.'],
  ['patterned', 'whole-object', 'A marked pattern of colours: stripes, dots or patches.'],
];

const COLOURS = ['white', 'black', 'grey', 'silver', 'brown', 'blue', 'red', 'yellow', 'green', 'orange'];

function title(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const classes = CLASSES.map(
  ([id, definition, wnids], index): SchemaClass => ({
    id,
    name: title(id),
    definition,
    wnids,
    codes: { index },
  }),
);

const attributes = ATTRIBUTES.map(
  ([id, kind, definition], index): SchemaAttribute => ({
    id,
    name: title(id),
    kind,
    definition,
    codes: { index },
  }),
);

const colours = COLOURS.map(
  (id): SchemaAttribute => ({
    id,
    name: title(id),
    kind: 'label-only',
    definition: `${title(id)} is one of the one or two colours that cover most of the object.`,
  }),
);

/** The form's rules (appendix B, figure 33): one option or more per group, "none" alone, two colours at most. */
const group = (id: string, name: string, members: string[], max = members.length) => ({
  id,
  name,
  attributes: members,
  min: 1,
  max,
  exclusiveNone: true,
});

export const rival10: DatasetSchema = {
  id: 'rival10',
  name: 'RIVAL10',
  description: 'Ten classes, 18 visual attributes of which 11 are drawn, and up to two colours per object.',
  citation: 'Moayeri, Pope, Balaji, Feizi, CVPR 2022',
  classes,
  attributes: [...attributes, ...colours],
  attributeGroups: [
    group('color', 'Colour', COLOURS, 2),
    group('shape', 'Shape', ['tall', 'long', 'rectangular']),
    group('parts', 'Parts', [
      'tail',
      'ears',
      'floppy-ears',
      'long-snout',
      'beak',
      'horns',
      'wheels',
      'colored-eyes',
      'mane',
      'wings',
    ]),
    group('texture', 'Texture', ['metallic', 'hairy', 'wet']),
    group('misc', 'Other', ['text', 'patterned']),
  ],
  parts: [],
};
