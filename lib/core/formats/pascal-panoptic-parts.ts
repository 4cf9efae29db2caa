import { pascalPart } from '@/lib/core/schema/presets';
import type { DatasetSchema, SchemaPart } from '@/lib/core/schema/types';
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
import { createSource, emptyImage, PicturePaths } from './shared/read-tree';
import { readSchemaFile, schemaFile } from './shared/vocabulary';
import { jpegFile, stemOf } from './shared/write-files';

const FOLDERS: Readonly<Record<string, string>> = { train: 'training', val: 'validation' };

const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);

/** The twenty object classes; the release's 79 stuff classes have no objects here. */
const spec = () =>
  writeDatasetSpec(
    'PASCAL Panoptic Parts',
    pascalPart.classes.map(({ id }) => {
      const parts = pascalPart.parts.filter(({ classes }) => classes.includes(id));
      const colour = parts[0]?.colour ?? '#808080';
      const tokenOf = (partId: string) => partId.slice(partId.indexOf(':') + 1);
      return {
        name: id,
        parts: parts.map((part) => tokenOf(part.id)),
        hasInstances: true,
        colour: [channel(colour, 1), channel(colour, 3), channel(colour, 5)] as const,
        counted: Object.fromEntries(
          parts
            .map((part) => [tokenOf(part.id), numbersOf(part.id), part.codes?.pid] as const)
            .filter(([, numbers, pid]) => numbers.length > 1 || numbers[0] !== pid)
            .map(([token, numbers]) => [token, numbers]),
        ),
      };
    }),
  );

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  const codes = codesOf(dataset.schema);
  const specBytes = isWithin(dataset.schema, pascalPart, { holdsStuff: true })
    ? spec
    : () => writeDatasetSpec(dataset.name, schemaCodes(dataset.schema).spec);
  yield { path: 'ppp_datasetspec.yaml', bytes: specBytes };
  if (!isWithin(dataset.schema, pascalPart, { holdsStuff: true })) yield schemaFile(dataset.schema);
  for await (const image of excludeUndrawn(dataset).dataset.images()) {
    const stem = stemOf(image.name);
    const { width, height } = image;
    yield jpegFile(`JPEGImages/${stem}.jpg`, image, pictures);
    yield {
      path: `${FOLDERS[image.split] ?? image.split}/${stem}.tif`,
      bytes: () =>
        encodeTiff({
          width,
          height,
          pixels: uidMap(image, uidLayers(image, codes, zOrders)),
          compression: 'lzw',
        }),
    };
  }
}

export const format: Format = {
  id: 'pascal-panoptic-parts',
  name: 'PASCAL Panoptic Parts',
  summary: 'Pictures with a compressed map of panoptic-parts numbers per image, in training and validation.',
  kind: 'own layout',
  holds: ['instances', 'stuff', 'crowd'],
  holdsClasses: false,
  options: [idsOption],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    const isOriginal = isWithin(dataset.schema, pascalPart, { holdsStuff: true });
    const codes = codesOf(dataset.schema);
    let shared = 0;
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: options.ids === 'original' || isOriginal ? pascalPart : dataset.schema,
        readers: 'code that reads PASCAL Panoptic Parts',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        needsMasks: true,
        hasInstances: true,
        image(image, found) {
          shared += sharedNumbers(image, codes);
          if (['JPEGImages', 'training', 'validation'].includes(image.split))
            found.add(
              'A split is called like a folder of the layout. Freeze a version with train, val and test.',
              image.split,
            );
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
      ...(dataset.splits.includes('test')
        ? ['The release has no test set: it goes to a folder of its own.']
        : []),
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

/** How many numbers a part that is counted takes in the files. */
const rangeOf = ({ id, numbered }: SchemaPart) =>
  !numbered || id === 'bicycle:headlight' ? 1 : /^(bus|car):window$/.test(id) ? 20 : 10;

/** First and last number of every part in the files: wheels of a car are 20 to 29. */
const ranges = new Map<string, { first: number; last: number }>();
for (const { id: className } of pascalPart.classes) {
  let next = 1;
  for (const part of pascalPart.parts.filter(({ classes }) => classes.includes(className))) {
    const size = rangeOf(part);
    ranges.set(part.id, { first: next, last: next + size - 1 });
    next += size;
  }
}

export const numbersOf = (partId: string): number[] => {
  const { first, last } = ranges.get(partId) ?? { first: 1, last: 0 };
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

const pascalCodes: UidCodes = {
  sid: (className) => pascalPart.classes.find(({ id }) => id === className)?.codes?.voc,
  pid(partId, instance = 0) {
    const range = ranges.get(partId);
    return range && Math.min(range.first + instance, range.last);
  },
  className: (sid) => pascalPart.classes.find(({ codes }) => codes?.voc === sid)?.id,
  partId: (className, pid) =>
    pascalPart.parts.find(({ id, classes }) => {
      const range = ranges.get(id);
      return classes.includes(className) && range && pid >= range.first && pid <= range.last;
    })?.id,
};

const codesOf = (schema: DatasetSchema): UidCodes =>
  isWithin(schema, pascalPart, { holdsStuff: true }) ? pascalCodes : schemaCodes(schema);

const MAP = /(?:^|\/)(training|validation|test)\/([^/]+)\.tif$/;
const SPLIT: Readonly<Record<string, string>> = { training: 'train', validation: 'val', test: 'test' };

async function detect(tree: SourceTree): Promise<Detection | null> {
  const maps = tree.paths.filter((path) => MAP.test(path));
  const first = maps.find((path) => !path.includes('test/'));
  if (!first) return null;
  return {
    certainty: tree.paths.some((path) => path.endsWith('ppp_datasetspec.yaml')) ? 0.95 : 0.7,
    because: `${maps.length} maps such as ${first} in folders training and validation, as in PASCAL Panoptic Parts`,
  };
}

async function read(tree: SourceTree): Promise<Source> {
  const pictures = new PicturePaths(tree, (path) => !path.endsWith('.tif'));
  const schema = (await readSchemaFile(tree)) ?? pascalPart;
  const codes = codesOf(schema);
  return createSource(
    schema,
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
      const objects = sortLargestFirst(readUidMap(pixels, width, height, codes, notes, path));
      return {
        ...emptyImage(tree, picture, SPLIT[folder] ?? null),
        width,
        height,
        className: objects[0]?.className ?? null,
        objects,
      };
    },
  );
}
