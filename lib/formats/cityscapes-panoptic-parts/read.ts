import { cityscapesParts } from '@/lib/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { Detection, Source, SourceTree } from '../format';
import { baseName } from '../general/tree';
import { largestFirst } from '../own/layers';
import { bareImage, sourceOf } from '../own/source';
import { streetCodes } from '../own/street-codes';
import { cityOf } from '../own/street-names';
import { objectsOfUids } from '../own/uid-map';

const MAP = /_gtFinePanopticParts\.tif$/;

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const [first] = maps;
  if (!first) return null;
  // Beside plain Cityscapes files this is the one that holds the parts.
  return { certainty: 0.97, because: `${maps.length} maps of panoptic-parts numbers such as ${first}` };
}

export async function read(tree: SourceTree): Promise<Source> {
  const pictures = new Map(
    tree.paths
      .filter((path) => path.endsWith('_leftImg8bit.png'))
      .map((path) => [baseName(path).replace('_leftImg8bit.png', ''), path]),
  );
  return sourceOf(
    cityscapesParts,
    tree.paths.filter((path) => MAP.test(path)),
    (path) => path,
    async (path, notes) => {
      const core = baseName(path).replace(MAP, '');
      const picture = pictures.get(core);
      if (!picture) {
        notes.add('maps without a picture were left out', path);
        return null;
      }
      const { width, height, pixels } = await decodeTiff(await tree.bytes(path));
      const objects = largestFirst(objectsOfUids(pixels, width, height, streetCodes, notes, path));
      return {
        ...bareImage(tree, picture, path.split('/').at(-3) ?? null),
        name: `${core}.png`,
        width,
        height,
        groupKey: cityOf(core),
        className: objects[0]?.className ?? null,
        objects,
      };
    },
  );
}
