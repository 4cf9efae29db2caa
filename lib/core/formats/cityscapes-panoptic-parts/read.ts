import { cityscapesParts } from '@/lib/core/schema/presets';
import { decodeTiff } from '../codecs/tiff';
import type { Detection, Source, SourceTree } from '../format';
import { largestFirst } from '../tessera/layers';
import { bareImage } from '../tessera/source';
import { streetCodes } from '../tessera/street-codes';
import { cityOf } from '../tessera/street-names';
import { streetSource } from '../tessera/street-source';
import { objectsOfUids } from '../tessera/uid-map';

const MAP = /_gtFinePanopticParts\.tif$/;

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const [first] = maps;
  if (!first) return null;
  // Beside plain Cityscapes files this is the one that holds the parts.
  return { certainty: 0.97, because: `${maps.length} maps of panoptic-parts numbers such as ${first}` };
}

export async function read(tree: SourceTree): Promise<Source> {
  return streetSource(cityscapesParts, tree, MAP, async ({ map, picture, core }, notes) => {
    const { width, height, pixels } = await decodeTiff(await tree.bytes(map));
    const objects = largestFirst(objectsOfUids(pixels, width, height, streetCodes, notes, map));
    return {
      ...bareImage(tree, picture, map.split('/').at(-3) ?? null),
      name: `${core}.png`,
      width,
      height,
      groupKey: cityOf(core),
      className: objects[0]?.className ?? null,
      objects,
    };
  });
}
