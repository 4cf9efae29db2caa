import { cityscapesParts } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { streetLabel, streetLabels } from './cityscapes/read';
import { decodeTiff, encodeTiff } from './codecs/tiff';
import type { Dataset } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, Source, SourceTree } from './format';
import { toCheck } from './shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from './shared/check-part-layout';
import { idsOption, isWithin, otherIdsLoss } from './shared/id-table';
import {
  readUidMap,
  schemaCodes,
  sharedNumbers,
  sharedNumbersLoss,
  type UidCodes,
  uidLayers,
  uidMap,
  writeDatasetSpec,
} from './shared/panoptic-parts';
import { sortLargestFirst, zOrdersOf } from './shared/part-layers';
import { emptyImage } from './shared/read-tree';
import { cityOf, coreName, coreNameProblem, streetCodes, streetSource } from './shared/street';
import { readSchemaFile, schemaFile } from './shared/vocabulary';

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

/** All labels of Cityscapes, and the parts that the release adds to five of them. */
const known = {
  classes: streetLabels.slice(1).map(({ name }) => ({ id: name, name })),
  parts: cityscapesParts.parts,
};

const cityscapesCodes: UidCodes = {
  ...streetCodes,
  sid: (className) => streetCodes.sid(className) ?? streetLabel(className)?.id,
  isCounted: (className) => streetLabel(className)?.hasInstances ?? false,
};

const codesOf = (schema: DatasetSchema): UidCodes =>
  isWithin(schema, known, { holdsStuff: true }) ? cityscapesCodes : schemaCodes(schema);

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  const codes = codesOf(dataset.schema);
  const isOriginal = isWithin(dataset.schema, known, { holdsStuff: true });
  yield {
    path: 'cpp_datasetspec.yaml',
    bytes: isOriginal ? spec : () => writeDatasetSpec(dataset.name, schemaCodes(dataset.schema).spec),
  };
  if (!isOriginal) yield schemaFile(dataset.schema);
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
      bytes: () => encodeTiff({ width, height, pixels: uidMap(image, uidLayers(image, codes, zOrders)) }),
    };
  }
}

export const format: Format = {
  id: 'cityscapes-panoptic-parts',
  name: 'Cityscapes Panoptic Parts',
  summary: 'Pictures with a map of panoptic-parts numbers per image: class, instance and part of each pixel.',
  kind: 'own layout',
  holds: ['instances', 'stuff', 'crowd'],
  holdsClasses: false,
  options: [idsOption],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    const isOriginal = isWithin(dataset.schema, known, { holdsStuff: true });
    const codes = codesOf(dataset.schema);
    let shared = 0;
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: options.ids === 'original' || isOriginal ? known : dataset.schema,
        readers: 'code that reads Cityscapes Panoptic Parts',
        fileName: (image) => `${coreName(image)}.png`,
        name: coreNameProblem,
        needsMasks: true,
        hasInstances: true,
        image: (image) => {
          shared += sharedNumbers(image, codes);
        },
      },
      options,
    );
    const { problem } = schemaCodes(dataset.schema);
    if (!isOriginal && problem) problems.add(problem, dataset.schema.name);
    return toCheck(problems, [
      ...drawn.losses(),
      ...otherIdsLoss(isOriginal),
      ...sharedNumbersLoss(shared),
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
  const schema = (await readSchemaFile(tree)) ?? cityscapesParts;
  const codes = codesOf(schema);
  return streetSource(schema, tree, MAP, async ({ map, picture, core }, notes) => {
    const { width, height, pixels } = await decodeTiff(await tree.bytes(map));
    const objects = sortLargestFirst(readUidMap(pixels, width, height, codes, notes, map));
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
