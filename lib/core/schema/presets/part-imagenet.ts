import { partColour } from '../parts';
import type { DatasetSchema, SchemaClass, SchemaPart } from '../types';
import { partImageNetWnids } from './part-imagenet-wnids';

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
