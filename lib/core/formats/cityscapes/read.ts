import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { decodePng } from '../codecs/png';
import type { ObjectLabel } from '../dataset';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import type { Notes } from '../general/notes';
import { largestFirst, masksOfMap } from '../tessera/layers';
import { bareImage, imported } from '../tessera/source';
import { cityOf } from '../tessera/street-names';
import { streetSource } from '../tessera/street-source';
import { streetLabels } from './labels';

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
  for (const [value, mask] of masksOfMap(pixels, width, height)) {
    const label = streetLabels[Math.floor(value / 1000)];
    if (value < 1000 || !label?.hasInstances)
      notes.add('regions without instance, such as road and sky, were left out', path);
    else
      objects.push({
        className: label.name,
        instance: 0,
        outline: { ...imported, mask },
        parts: [],
        absent: [],
      });
  }
  const sized = largestFirst(objects);
  return {
    ...bareImage(tree, picture, splitOf(path)),
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
