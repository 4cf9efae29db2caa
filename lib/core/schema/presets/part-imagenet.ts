import { type DatasetSchema, partColour, type SchemaClass, type SchemaPart } from '../types';

/** The 158 ImageNet classes of PartImageNet by super-class; grouping by animal or vehicle name, counts as published. */
const partImageNetWnids: Readonly<Record<string, readonly string[]>> = {
  Quadruped: [
    'n02085782',
    'n02089867',
    'n02090379',
    'n02091831',
    'n02092339',
    'n02096177',
    'n02096585',
    'n02097474',
    'n02098105',
    'n02099601',
    'n02100583',
    'n02101006',
    'n02101388',
    'n02102040',
    'n02102973',
    'n02109525',
    'n02109961',
    'n02112137',
    'n02114367',
    'n02120079',
    'n02124075',
    'n02125311',
    'n02128385',
    'n02129604',
    'n02130308',
    'n02132136',
    'n02133161',
    'n02134084',
    'n02134418',
    'n02356798',
    'n02397096',
    'n02403003',
    'n02408429',
    'n02412080',
    'n02415577',
    'n02417914',
    'n02422106',
    'n02422699',
    'n02423022',
    'n02437312',
    'n02441942',
    'n02442845',
    'n02443114',
    'n02444819',
    'n02447366',
    'n02510455',
  ],
  Biped: [
    'n02480495',
    'n02480855',
    'n02481823',
    'n02483362',
    'n02483708',
    'n02484975',
    'n02486261',
    'n02486410',
    'n02487347',
    'n02488702',
    'n02489166',
    'n02490219',
    'n02492035',
    'n02492660',
    'n02493509',
    'n02493793',
    'n02494079',
  ],
  Fish: [
    'n01440764',
    'n01443537',
    'n01484850',
    'n01491361',
    'n01494475',
    'n02071294',
    'n02514041',
    'n02536864',
    'n02607072',
    'n02655020',
  ],
  Bird: [
    'n01608432',
    'n01614925',
    'n01824575',
    'n01828970',
    'n01843065',
    'n01855672',
    'n02002724',
    'n02006656',
    'n02009229',
    'n02009912',
    'n02017213',
    'n02025239',
    'n02033041',
    'n02058221',
  ],
  Snake: [
    'n01728572',
    'n01728920',
    'n01729322',
    'n01729977',
    'n01734418',
    'n01735189',
    'n01739381',
    'n01740131',
    'n01742172',
    'n01744401',
    'n01748264',
    'n01749939',
    'n01753488',
    'n01755581',
    'n01756291',
  ],
  Reptile: [
    'n01630670',
    'n01632458',
    'n01641577',
    'n01644373',
    'n01644900',
    'n01664065',
    'n01665541',
    'n01667114',
    'n01667778',
    'n01669191',
    'n01685808',
    'n01687978',
    'n01688243',
    'n01689811',
    'n01692333',
    'n01693334',
    'n01694178',
    'n01695060',
    'n01697457',
    'n01698640',
  ],
  Car: [
    'n02701002',
    'n02814533',
    'n02930766',
    'n03100240',
    'n03417042',
    'n03444034',
    'n03445924',
    'n03594945',
    'n03670208',
    'n03769881',
    'n03770679',
    'n03977966',
    'n04037443',
    'n04065272',
    'n04146614',
    'n04252225',
    'n04285008',
    'n04465501',
    'n04487081',
  ],
  Bicycle: ['n02835271', 'n03785016', 'n03791053', 'n03792782', 'n04482393', 'n04509417'],
  Boat: ['n03947888', 'n04147183', 'n04483307', 'n04612504'],
  Aeroplane: ['n02690373', 'n04552348'],
  Bottle: ['n02823428', 'n03937543', 'n03983396', 'n04557648', 'n04591713'],
};

/**
 * Super-classes in the order of the released JSON, parts in COCO id order (0-39).
 * "Tier" is the dataset's own spelling of tyre and is kept, because readers match names.
 */
const SUPERCLASSES: ReadonlyArray<readonly [name: string, definition: string, parts: string[]]> = [
  ['Quadruped', 'A mammal on four legs.', ['Head', 'Body', 'Foot', 'Tail']],
  ['Biped', 'A monkey or ape.', ['Head', 'Body', 'Hand', 'Foot', 'Tail']],
  ['Fish', 'A fish, shark, ray or whale.', ['Head', 'Body', 'Fin', 'Tail']],
  ['Bird', 'A bird.', ['Head', 'Body', 'Wing', 'Foot', 'Tail']],
  ['Snake', 'A snake.', ['Head', 'Body']],
  ['Reptile', 'A lizard, turtle, crocodile, salamander or frog.', ['Head', 'Body', 'Foot', 'Tail']],
  ['Car', 'A vehicle on four wheels or more.', ['Body', 'Tier', 'Side Mirror']],
  ['Bicycle', 'A vehicle on one, two or three wheels.', ['Body', 'Head', 'Seat', 'Tier']],
  ['Boat', 'A boat with or without sails.', ['Body', 'Sail']],
  ['Aeroplane', 'An aeroplane.', ['Head', 'Body', 'Engine', 'Wing', 'Tail']],
  ['Bottle', 'A bottle.', ['Mouth', 'Body']],
];

const DEFINITIONS: Readonly<Record<string, string>> = {
  Head: 'The head with ears, horns, beak and eyes; of a vehicle its front or handlebar.',
  Body: 'The trunk with the neck; of a thing all that is no other part.',
  Foot: 'The whole leg with the foot.',
  Hand: 'The whole arm with the hand.',
  Tail: 'The tail from its root to its tip.',
  Fin: 'Every fin but the tail fin.',
  Wing: 'Every wing, folded or spread.',
  Tier: 'Every wheel with its tyre.',
  'Side Mirror': 'The mirrors outside the doors.',
  Seat: 'The saddle or seat.',
  Sail: 'Every sail.',
  Engine: 'The engine pods.',
  Mouth: 'The neck opening with its cap.',
};

/** Mask ids of the part-model loader number the super-classes alphabetically from 1, parts in COCO order. */
function maskIds(): Map<string, number> {
  const ids = new Map<string, number>();
  const alphabetical = [...SUPERCLASSES].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, , parts] of alphabetical) {
    for (const part of parts) ids.set(`${name} ${part}`, ids.size + 1);
  }
  return ids;
}

const mask = maskIds();

const parts = SUPERCLASSES.flatMap(([name, , list]) => list.map((part) => [name, part] as const)).map(
  ([name, part], coco): SchemaPart => {
    const id = `${name} ${part}`;
    return {
      id,
      name: part,
      classes: [name],
      definition: DEFINITIONS[part],
      zOrder: part === 'Body' ? 0 : 1,
      colour: partColour(coco),
      codes: { coco, mask: mask.get(id) ?? 0 },
    };
  },
);

const alphabeticalNames = SUPERCLASSES.map(([name]) => name).sort();

const classes = SUPERCLASSES.map(
  ([name, definition]): SchemaClass => ({
    id: name,
    name,
    definition,
    wnids: [...(partImageNetWnids[name] ?? [])],
    codes: { index: alphabeticalNames.indexOf(name) },
  }),
);

export const partImageNet: DatasetSchema = {
  id: 'part-imagenet',
  name: 'Part-ImageNet',
  description: 'Eleven super-classes over 158 ImageNet classes, 40 parts.',
  citation: 'He et al., PartImageNet, 2021',
  classes,
  attributeGroups: [],
  attributes: [],
  parts,
};
