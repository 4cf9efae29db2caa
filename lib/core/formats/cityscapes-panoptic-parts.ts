import { cityscapesParts } from '@/lib/core/schema/presets';
import { streetLabels } from './cityscapes/read';
import { decodeTiff, encodeTiff } from './codecs/tiff';
import type { Dataset } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, Source, SourceTree } from './format';
import { toCheck } from './shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from './shared/check-part-layout';
import { readUidMap, uidLayers, uidMap, writeDatasetSpec } from './shared/panoptic-parts';
import { sortLargestFirst, zOrdersOf } from './shared/part-layers';
import { emptyImage } from './shared/read-tree';
import { cityOf, coreName, coreNameProblem, streetCodes, streetSource } from './shared/street';

const HUMAN = ['torso', 'head', 'arm', 'leg'];
const VEHICLE = ['window', 'wheel', 'light', 'license plate', 'chassis'];

/** 34 classes from "ego vehicle" on; a license plate is a class here, and none in Cityscapes itself. */
const spec = () =>
  writeDatasetSpec('Cityscapes Panoptic Parts', [
    ...streetLabels.slice(1).map(({ name, colour, hasInstances }) => ({
      name,
      colour,
      hasInstances,
      parts: ['person', 'rider'].includes(name)
        ? HUMAN
        : ['car', 'truck', 'bus'].includes(name)
          ? VEHICLE
          : [],
    })),
    { name: 'license plate', colour: [0, 0, 142] as const, hasInstances: false, parts: [] },
  ]);

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  yield { path: 'cpp_datasetspec.yaml', bytes: spec };
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const core = coreName(image);
    const folder = `${image.split}/${cityOf(core)}/${core}`;
    const { width, height } = image;
    yield {
      path: `leftImg8bit/${folder}_leftImg8bit.png`,
      bytes: () => pictures.encode(image, { format: 'png' }),
    };
    yield {
      path: `gtFinePanopticParts/${folder}_gtFinePanopticParts.tif`,
      bytes: () =>
        encodeTiff({ width, height, pixels: uidMap(image, uidLayers(image, streetCodes, zOrders)) }),
    };
  }
}

export const format: Format = {
  id: 'cityscapes-panoptic-parts',
  name: 'Cityscapes Panoptic Parts',
  summary: 'Pictures with a map of panoptic-parts numbers per image: class, instance and part of each pixel.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: cityscapesParts,
        readers: 'code that reads Cityscapes Panoptic Parts',
        fileName: (image) => `${coreName(image)}.png`,
        name: coreNameProblem,
        needsMasks: true,
        hasInstances: true,
      },
      options,
    );
    return toCheck(problems, [
      ...drawn.losses(),
      'Instances are numbered from 1 in the image: the part-model code skips instance 0.',
      layoutLosses.overlap,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};

const MAP = /_gtFinePanopticParts\.tif$/;

async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const [first] = maps;
  if (!first) return null;
  // Beside plain Cityscapes files this is the one that holds the parts.
  return { certainty: 0.97, because: `${maps.length} maps of panoptic-parts numbers such as ${first}` };
}

async function read(tree: SourceTree): Promise<Source> {
  return streetSource(cityscapesParts, tree, MAP, async ({ map, picture, core }, notes) => {
    const { width, height, pixels } = await decodeTiff(await tree.bytes(map));
    const objects = sortLargestFirst(readUidMap(pixels, width, height, streetCodes, notes, map));
    return {
      ...emptyImage(tree, picture, map.split('/').at(-3) ?? null),
      name: `${core}.png`,
      width,
      height,
      groupKey: cityOf(core),
      className: objects[0]?.className ?? null,
      objects,
    };
  });
}
