import { partColour } from '../parts';
import type { DatasetSchema, SchemaPart } from '../types';

const HEAD = 'head leye reye lear rear nose neck';
const LEGS = 'lfleg rfleg lbleg rbleg lfpa rfpa lbpa rbpa';

/**
 * The five classes and three merged parts of the part-model paper, in mask id order (1-15).
 * Where fine parts overlap, the paper's script keeps the part that comes first here.
 */
const CLASSES: ReadonlyArray<
  readonly [id: string, parts: ReadonlyArray<readonly [name: string, merges: string]>]
> = [
  [
    'aeroplane',
    [
      ['tail', 'tail stern'],
      ['wing', 'lwing rwing engine'],
      ['body', 'body wheel'],
    ],
  ],
  [
    'bird',
    [
      ['head', 'head beak leye reye neck'],
      ['legs', 'lleg rleg lfoot rfoot'],
      ['body', 'torso lwing rwing tail'],
    ],
  ],
  [
    'car',
    [
      ['wheel', 'wheel'],
      ['window', 'window'],
      [
        'body',
        'bliplate backside door fliplate frontside headlight leftmirror leftside rightmirror rightside roofside',
      ],
    ],
  ],
  [
    'cat',
    [
      ['head', HEAD],
      ['legs', LEGS],
      ['body', 'torso tail'],
    ],
  ],
  [
    'dog',
    [
      ['head', `${HEAD} muzzle`],
      ['legs', LEGS],
      ['body', 'torso tail'],
    ],
  ],
];

const parts = CLASSES.flatMap(([classId, list]) =>
  list.map(([name, merges], position) => ({ classId, name, merges, position })),
).map(
  ({ classId, name, merges, position }, index): SchemaPart => ({
    id: `${classId}:${name}`,
    name,
    classes: [classId],
    zOrder: 2 - position,
    colour: partColour(index),
    codes: { mask: index + 1 },
    merges: merges.split(' ').map((part) => `${classId}:${part}`),
  }),
);

export const pascalPartGrouped: DatasetSchema = {
  id: 'pascal-part-grouped',
  name: 'PASCAL-Part, three parts per class',
  description:
    'Five PASCAL classes with their fine parts merged to three, as the part-based models were trained.',
  citation: 'Sitawarin et al., Part-Based Models Improve Adversarial Robustness, 2023',
  classes: CLASSES.map(([id], index) => ({ id, name: id, codes: { index } })),
  attributeGroups: [],
  attributes: [],
  parts,
};
