import type { DatasetSchema } from '@/lib/core/schema/types';
import type { Source, SourceImage, SourceTree } from '../format';
import type { Notes } from '../general/notes';
import { baseName } from '../general/tree';
import { sourceOf } from './source';

const PICTURE_END = '_leftImg8bit.png';

/** A map of labels, the picture it belongs to, and the name they share: aachen_000001_000019. */
export interface StreetPair {
  map: string;
  picture: string;
  core: string;
}

/** Street scenes by their maps of labels; a map without a picture is noted and left out. */
export function streetSource(
  schema: DatasetSchema,
  tree: SourceTree,
  mapEnd: RegExp,
  readImage: (pair: StreetPair, notes: Notes) => Promise<SourceImage | null>,
): Source {
  const pictures = new Map(
    tree.paths
      .filter((path) => path.endsWith(PICTURE_END))
      .map((path) => [baseName(path).replace(PICTURE_END, ''), path]),
  );
  return sourceOf(
    schema,
    tree.paths.filter((path) => mapEnd.test(path)),
    (path) => path,
    async (map, notes) => {
      const core = baseName(map).replace(mapEnd, '');
      const picture = pictures.get(core);
      if (picture) return readImage({ map, picture, core }, notes);
      notes.add('maps without a picture were left out', map);
      return null;
    },
  );
}
