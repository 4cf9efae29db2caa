import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { decodePng } from '../codecs/png';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { sortLargestFirst, splitLabelMap } from '../shared/part-layers';
import { emptyImage, importProvenance, type Notes } from '../shared/read-tree';
import { cityOf, streetSource } from '../shared/street';

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

/** Everything whose instances Cityscapes counts; parts as in the preset, so that they can be drawn next. */
const schema: DatasetSchema = {
  ...cityscapesParts,
  classes: [
    ...cityscapesParts.classes,
    ...streetLabels
      .filter(
        ({ name, hasInstances }) => hasInstances && !cityscapesParts.classes.some(({ id }) => id === name),
      )
      .map(({ id, name }) => ({ id: name, name, superclass: 'vehicle', codes: { sid: id } })),
  ],
};

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const [first] = maps;
  if (!first) return null;
  return { certainty: 0.95, because: `${maps.length} maps of instances such as ${first}, as in Cityscapes` };
}

export async function read(tree: SourceTree): Promise<Source> {
  return streetSource(schema, tree, MAP, ({ map, picture, core }, notes) =>
    readImage(tree, map, picture, core, notes),
  );
}

async function readImage(
  tree: SourceTree,
  path: string,
  picture: string,
  core: string,
  notes: Notes,
): Promise<SourceImage> {
  const { width, height, pixels } = await decodePng(await tree.bytes(path));
  const objects: ObjectLabel[] = [];
  for (const [value, mask] of splitLabelMap(pixels, width, height)) {
    const label = streetLabels[Math.floor(value / 1000)];
    if (value < 1000 || !label?.hasInstances)
      notes.add('regions without instance, such as road and sky, were left out', path);
    else
      objects.push({
        className: label.name,
        instance: 0,
        outline: { ...importProvenance, mask },
        parts: [],
        absent: [],
      });
  }
  const sized = sortLargestFirst(objects);
  return {
    ...emptyImage(tree, picture, splitOf(path)),
    name: `${core}.png`,
    width,
    height,
    groupKey: cityOf(core),
    className: sized[0]?.className ?? null,
    objects: sized,
  };
}

/** …/<split>/<city>/<file>. */
const splitOf = (path: string): string | null => path.split('/').at(-3) ?? null;
