import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { DatasetImage } from '../dataset';
import type { Source, SourceImage, SourceTree } from '../format';
import type { UidCodes } from './panoptic-parts';
import { baseName, Notes } from './read-tree';
import { stemOf } from './write-files';

const sids = new Map(cityscapesParts.classes.map(({ id, codes }) => [id, codes?.sid as number]));
const pids = new Map(cityscapesParts.parts.map(({ id, codes }) => [id, codes?.pid as number]));

/** Cityscapes Panoptic Parts: person and rider, car, truck and bus; torso is 1 and head is 2. */
export const streetCodes: UidCodes = {
  sid: (className) => sids.get(className),
  pid: (partId) => pids.get(partId),
  className: (sid) => cityscapesParts.classes.find(({ codes }) => codes?.sid === sid)?.id,
  partId: (className, pid) =>
    cityscapesParts.parts.find(({ classes, codes }) => classes.includes(className) && codes?.pid === pid)?.id,
};

const CORE = /^[A-Za-z0-9-]+_\d{6}_\d{6}$/;
const NUMBER = /^\d{1,6}$/;

/** City, sequence and frame: "aachen_000001_000019". Numbered images use their group, or "tessera", as the city. */
export function coreName({ name, groupKey }: DatasetImage): string {
  const stem = stemOf(name).replace(/_(leftImg8bit|gtFine)$/, '');
  if (!NUMBER.test(stem)) return stem;
  const city = (groupKey ?? '').replace(/[^A-Za-z0-9-]/g, '') || 'tessera';
  return `${city}_${stem.padStart(6, '0')}_000000`;
}

export const cityOf = (core: string): string => core.slice(0, core.indexOf('_'));

export const coreNameProblem = (name: string): string | null =>
  CORE.test(stemOf(name))
    ? null
    : 'is not like aachen_000001_000019: a city without underscore and two numbers of six digits';

const PICTURE_END = '_leftImg8bit.png';

/** A label map, its image, and the name they share, such as aachen_000001_000019. */
interface StreetPair {
  map: string;
  picture: string;
  core: string;
}

/** Pairs label maps with their images. Maps without an image are reported and left out. */
export function streetSource(
  schema: DatasetSchema,
  tree: SourceTree,
  mapEnd: RegExp,
  readImage: (pair: StreetPair, notes: Notes) => Promise<SourceImage | null>,
): Source {
  const notes = new Notes();
  return {
    schema,
    notes: notes.list,
    images: () => streetImages(tree, mapEnd, notes, (pair) => readImage(pair, notes)),
  };
}

/** The images of all pairs, one by one. Unreadable maps are reported and left out. */
export async function* streetImages<T>(
  tree: SourceTree,
  mapEnd: RegExp,
  notes: Notes,
  readImage: (pair: StreetPair) => Promise<T | null>,
): AsyncGenerator<T> {
  const pictures = new Map(
    tree.paths
      .filter((path) => path.endsWith(PICTURE_END))
      .map((path) => [baseName(path).replace(PICTURE_END, ''), path]),
  );
  for (const map of tree.paths.filter((path) => mapEnd.test(path))) {
    const core = baseName(map).replace(mapEnd, '');
    const picture = pictures.get(core);
    if (!picture) {
      notes.add('maps without a picture were left out', map);
      continue;
    }
    try {
      const image = await readImage({ map, picture, core });
      if (image) yield image;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'it cannot be read';
      notes.add(`images were left out: ${why}`, map);
    }
  }
}
