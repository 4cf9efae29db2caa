import { type DatasetSchema, partColour, type SchemaPart } from '../types';

const EYES_EARS = 'head leye reye lear rear';
const CAT = `${EYES_EARS} nose torso neck lfleg lfpa rfleg rfpa lbleg lbpa rbleg rbpa tail` as const;
const UPPER_LOWER_LEGS = 'lfuleg lflleg rfuleg rflleg lbuleg lblleg rbuleg rblleg' as const;
const VEHICLE =
  'frontside leftside rightside backside roofside leftmirror rightmirror fliplate bliplate door* wheel* headlight* window*' as const;
const COW = `${EYES_EARS} muzzle lhorn rhorn torso neck ${UPPER_LOWER_LEGS} tail` as const;

/** VOC class order (1-20); parts in panoptic-parts pid order; a star marks parts an object may have several of. */
const CLASSES: ReadonlyArray<readonly [id: string, parts: string]> = [
  ['aeroplane', 'body stern lwing rwing tail engine* wheel*'],
  ['bicycle', 'fwheel bwheel saddle handlebar chainwheel headlight*'],
  ['bird', 'head leye reye beak torso neck lwing rwing lleg lfoot rleg rfoot tail'],
  ['boat', ''],
  ['bottle', 'cap body'],
  ['bus', VEHICLE],
  ['car', VEHICLE],
  ['cat', CAT],
  ['chair', ''],
  ['cow', COW],
  ['table', ''],
  ['dog', `${CAT} muzzle`],
  ['horse', `${EYES_EARS} muzzle lfho rfho lbho rbho torso neck ${UPPER_LOWER_LEGS} tail`],
  ['motorbike', 'fwheel bwheel handlebar saddle headlight*'],
  [
    'person',
    'head leye reye lear rear lebrow rebrow nose mouth hair torso neck llarm luarm lhand rlarm ruarm rhand llleg luleg lfoot rlleg ruleg rfoot',
  ],
  ['pottedplant', 'pot plant'],
  ['sheep', COW],
  ['sofa', ''],
  [
    'train',
    'head hfrontside hleftside hrightside hbackside hroofside headlight* coach* cfrontside* cleftside* crightside* cbackside* croofside*',
  ],
  ['tvmonitor', 'screen frame'],
];

const WORDS: Readonly<Record<string, string>> = {
  leye: 'left eye',
  reye: 'right eye',
  lear: 'left ear',
  rear: 'right ear',
  lebrow: 'left eyebrow',
  rebrow: 'right eyebrow',
  lfpa: 'left front paw',
  rfpa: 'right front paw',
  lbpa: 'left back paw',
  rbpa: 'right back paw',
  lfho: 'left front hoof',
  rfho: 'right front hoof',
  lbho: 'left back hoof',
  rbho: 'right back hoof',
  fwheel: 'front wheel',
  bwheel: 'back wheel',
  fliplate: 'front licence plate',
  bliplate: 'back licence plate',
  luarm: 'left upper arm',
  llarm: 'left lower arm',
  ruarm: 'right upper arm',
  rlarm: 'right lower arm',
  luleg: 'left upper leg',
  llleg: 'left lower leg',
  ruleg: 'right upper leg',
  rlleg: 'right lower leg',
};

const SIDE: Readonly<Record<string, string>> = {
  l: 'left ',
  r: 'right ',
  f: 'front ',
  b: 'back ',
  h: 'head ',
  c: 'coach ',
};

/** "lfuleg" becomes "left front upper leg": the release packs words into letters. */
function spellOut(part: string): string {
  const leg = /^([lr])([fb])([ul]?)leg$/.exec(part);
  if (leg)
    return `${SIDE[leg[1] ?? '']}${SIDE[leg[2] ?? '']}${{ u: 'upper ', l: 'lower ' }[leg[3] ?? ''] ?? ''}leg`;
  const face = /^([hc])(front|left|right|back|roof)side$/.exec(part);
  if (face) return `${SIDE[face[1] ?? '']}${face[2]} side`;
  const sided = /^([lr])(wing|leg|foot|horn|hand)$/.exec(part);
  if (sided) return `${SIDE[sided[1] ?? '']}${sided[2]}`;
  return WORDS[part] ?? part.replace(/(front|left|right|back|roof)(side|mirror)/, '$1 $2');
}

/** Parts that contain the others of their object and so are painted first. */
const BASES = new Set([
  'torso',
  'body',
  'frontside',
  'leftside',
  'rightside',
  'backside',
  'roofside',
  'coach',
  'plant',
]);
const FIRST_DETAIL = /^(head|door|[hc](front|left|right|back|roof)side)$/;

function zOrder(part: string): number {
  if (BASES.has(part)) return 0;
  return FIRST_DETAIL.test(part) ? 1 : 2;
}

const parts = CLASSES.flatMap(([classId, list]) =>
  list
    .split(' ')
    .filter(Boolean)
    .map((word, position) => ({
      classId,
      name: word.replace('*', ''),
      numbered: word.endsWith('*'),
      pid: position + 1,
    })),
).map(
  ({ classId, name, numbered, pid }, index): SchemaPart => ({
    id: `${classId}:${name}`,
    name: spellOut(name),
    classes: [classId],
    zOrder: zOrder(name),
    colour: partColour(index),
    codes: { pid },
    ...(numbered ? { numbered } : {}),
  }),
);

export const pascalPart: DatasetSchema = {
  id: 'pascal-part',
  name: 'PASCAL-Part',
  description: 'The twenty VOC classes with their fine parts; boat, chair, table and sofa have none.',
  citation: 'Chen et al., Detect What You Can, CVPR 2014',
  classes: CLASSES.map(([id], index) => ({ id, name: id, codes: { voc: index + 1 } })),
  attributeGroups: [],
  attributes: [],
  parts,
};

const HEAD = 'head leye reye lear rear nose neck';
const LEGS = 'lfleg rfleg lbleg rbleg lfpa rfpa lbpa rbpa';

/**
 * The five classes and three merged parts of the part-model paper, in mask id order (1-15).
 * Where fine parts overlap, the paper's script keeps the part that comes first here.
 */
const GROUPED_CLASSES: ReadonlyArray<
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

const groupedParts = GROUPED_CLASSES.flatMap(([classId, list]) =>
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
  classes: GROUPED_CLASSES.map(([id], index) => ({ id, name: id, codes: { index } })),
  attributeGroups: [],
  attributes: [],
  parts: groupedParts,
};
