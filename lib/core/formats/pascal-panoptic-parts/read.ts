import { pascalPart } from '@/lib/core/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { Detection, Source, SourceTree } from '../format';
import { PicturePaths } from '../general/tree';
import { largestFirst } from '../tessera/layers';
import { bareImage, sourceOf } from '../tessera/source';
import { objectsOfUids } from '../tessera/uid-map';
import { pascalCodes } from './codes';

const MAP = /(?:^|\/)(training|validation|test)\/([^/]+)\.tif$/;
const SPLIT: Readonly<Record<string, string>> = { training: 'train', validation: 'val', test: 'test' };

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const first = maps.find((path) => !path.includes('test/'));
  if (!first) return null;
  return {
    certainty: tree.paths.some((path) => path.endsWith('ppp_datasetspec.yaml')) ? 0.95 : 0.7,
    because: `${maps.length} maps such as ${first} in folders training and validation, as in PASCAL Panoptic Parts`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const pictures = new PicturePaths(tree, (path) => !path.endsWith('.tif'));
  return sourceOf(
    pascalPart,
    tree.paths.filter((path) => MAP.test(path)),
    (path) => path,
    async (path, notes) => {
      const [, folder = '', stem = ''] = MAP.exec(path) ?? [];
      const picture = pictures.find(`${stem}.jpg`) ?? pictures.find(`${stem}.png`);
      if (!picture) {
        notes.add('maps without a picture were left out', path);
        return null;
      }
      const { width, height, pixels } = await decodeTiff(await tree.bytes(path));
      const objects = largestFirst(objectsOfUids(pixels, width, height, pascalCodes, notes, path));
      return {
        ...bareImage(tree, picture, SPLIT[folder] ?? null),
        width,
        height,
        className: objects[0]?.className ?? null,
        objects,
      };
    },
  );
}
