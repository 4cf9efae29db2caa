import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { decodePng } from '../codecs/png';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { noFacts } from '../shared/image-record';
import { splitLabelMap } from '../shared/part-layers';
import {
  type RawAnnotation,
  type RawCategory,
  type RawImage,
  type RawSource,
  rawImage,
  unreadable,
} from '../shared/raw-source';
import { Notes } from '../shared/read-tree';
import { cityOf, streetImages } from '../shared/street';

/** Cityscapes' table: id, name, whether instances are counted, colour. */
interface StreetLabel {
  id: number;
  name: string;
  hasInstances: boolean;
  colour: readonly [number, number, number];
}

const NAMES: ReadonlyArray<readonly [name: string, colour: readonly [number, number, number]]> = [
  ['unlabeled', [0, 0, 0]],
  ['ego vehicle', [0, 0, 0]],
  ['rectification border', [0, 0, 0]],
  ['out of roi', [0, 0, 0]],
  ['static', [0, 0, 0]],
  ['dynamic', [111, 74, 0]],
  ['ground', [81, 0, 81]],
  ['road', [128, 64, 128]],
  ['sidewalk', [244, 35, 232]],
  ['parking', [250, 170, 160]],
  ['rail track', [230, 150, 140]],
  ['building', [70, 70, 70]],
  ['wall', [102, 102, 156]],
  ['fence', [190, 153, 153]],
  ['guard rail', [180, 165, 180]],
  ['bridge', [150, 100, 100]],
  ['tunnel', [150, 120, 90]],
  ['pole', [153, 153, 153]],
  ['polegroup', [153, 153, 153]],
  ['traffic light', [250, 170, 30]],
  ['traffic sign', [220, 220, 0]],
  ['vegetation', [107, 142, 35]],
  ['terrain', [152, 251, 152]],
  ['sky', [70, 130, 180]],
  ['person', [220, 20, 60]],
  ['rider', [255, 0, 0]],
  ['car', [0, 0, 142]],
  ['truck', [0, 0, 70]],
  ['bus', [0, 60, 100]],
  ['caravan', [0, 0, 90]],
  ['trailer', [0, 0, 110]],
  ['train', [0, 80, 100]],
  ['motorcycle', [0, 0, 230]],
  ['bicycle', [119, 11, 32]],
];

/** From here on instances are counted. */
const FIRST_THING = 24;

export const streetLabels: readonly StreetLabel[] = NAMES.map(([name, colour], id) => ({
  id,
  name,
  colour,
  hasInstances: id >= FIRST_THING,
}));

export const streetLabel = (name: string): StreetLabel | undefined =>
  streetLabels.find((label) => label.name === name);

const MAP = /_gtFine_instanceIds\.png$/;

/** Up to here labels mean that nothing was annotated: the car that carries the camera, the border of the image. */
const LAST_VOID = 6;

/** Everything that Cityscapes annotates; parts as in the preset, so that they can be drawn next. */
const schema: DatasetSchema = {
  ...cityscapesParts,
  classes: [
    ...cityscapesParts.classes,
    ...streetLabels
      .filter(({ name, id }) => id > LAST_VOID && !cityscapesParts.classes.some((entry) => entry.id === name))
      .map(({ id, name, hasInstances }) => ({
        id: name,
        name,
        ...(hasInstances ? { superclass: 'vehicle' } : { kind: 'stuff' as const }),
        codes: { sid: id },
      })),
  ],
};

const categories: readonly RawCategory[] = streetLabels
  .slice(1)
  .map(({ id, name }) => ({ name, ...(id <= LAST_VOID && { role: 'ignore' as const }) }));

const isClass = (name: string): boolean => schema.classes.some(({ id }) => id === name);

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const [first] = maps;
  if (!first) return null;
  return { certainty: 0.95, because: `${maps.length} maps of instances such as ${first}, as in Cityscapes` };
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const notes = new Notes();
  return {
    origin: 'the maps of instances',
    categories,
    known: {
      schema,
      resolve: (name) => (isClass(name) ? { kind: 'object', id: name } : undefined),
    },
    notes,
    images: () =>
      streetImages(tree, MAP, notes, ({ map, picture, core }) => readImage(tree, map, picture, core)),
  };
}

async function readImage(tree: SourceTree, path: string, picture: string, core: string): Promise<RawImage> {
  const { width, height, pixels } = await decodePng(await tree.bytes(path));
  const annotations: RawAnnotation[] = [];
  for (const [value, mask] of splitLabelMap(pixels, width, height)) {
    // Regions without an instance have the number of their label.
    const label = streetLabels[value < 1000 ? value : Math.floor(value / 1000)];
    if (!label) annotations.push(unreadable('', 'regions with a number that is no label of Cityscapes'));
    else
      annotations.push({
        category: label.name,
        instance: null,
        // A group of objects that are not told apart.
        ...(label.hasInstances && value < 1000 && { flags: ['crowd'] as const }),
        mask: () => mask,
      });
  }
  return {
    ...rawImage(tree, picture, splitOf(path)),
    name: `${core}.png`,
    where: path,
    width,
    height,
    facts: { ...noFacts, groupKey: cityOf(core) },
    annotations,
  };
}

/** …/<split>/<city>/<file>. */
const splitOf = (path: string): string | null => path.split('/').at(-3) ?? null;
