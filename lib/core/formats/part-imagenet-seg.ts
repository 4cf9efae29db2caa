import { fromBitmap, fullMask } from '@/lib/core/mask';
import { encodeLabelPng } from './codecs/label-png';
import type { PaintLayer } from './codecs/paint';
import { decodePng } from './codecs/png';
import type { Dataset, DatasetImage } from './dataset';
import type {
  Detection,
  Format,
  FormatFile,
  Options,
  Pictures,
  Source,
  SourceImage,
  SourceTree,
} from './format';
import {
  documents,
  holesOption,
  partCategories,
  partMasks,
  type ReleaseMask,
  releaseName,
  releaseRules,
  releaseRulesOf,
  segmentationStyle,
  withWnids,
} from './part-imagenet';
import { toCheck } from './shared/check';
import {
  checkPartLayout,
  classOnlyLoss,
  isDrawnOn,
  isLabelled,
  layoutLosses,
} from './shared/check-part-layout';
import {
  type IdTable,
  idFiles,
  idsOption,
  otherIdsLoss,
  partImageNetTable,
  readIdTable,
} from './shared/id-table';
import { objectMask, partLayers, splitLabelMap, zOrdersOf } from './shared/part-layers';
import { createSource, emptyImage, importProvenance, type Notes, pathSet } from './shared/read-tree';
import { jpegFile, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'part-imagenet-seg',
  name: 'PartImageNet_Seg',
  summary: 'The later release: a map of parts and a map of whole objects per image, with COCO files.',
  kind: 'own layout',
  holds: ['instances'],
  options: [idsOption, holesOption],
  async check(all, options) {
    const table = partImageNetTable(all.schema);
    const dataset = withWnids(all, table, options);
    const wnids = wnidsOf(table);
    let classOnly = 0;
    let merged = 0;
    const problems = await checkPartLayout(
      dataset,
      {
        ...releaseRulesOf(table, options),
        needsMasks: true,
        image(image, found) {
          releaseRules.image?.(image, found);
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
          for (const { parts } of image.objects) merged += parts.filter(({ instances }) => instances).length;
          if (image.wnid !== null && !wnids.includes(image.wnid))
            found.add(
              'A WordNet id is none of those that the release numbers.',
              `${image.name}: ${image.wnid}`,
            );
        },
      },
      options,
    );
    // 255 means "ignore" in the maps, and the background has the number after the last part.
    if (table.entries.length > MAX_ENTRIES || wnids.length > MAX_ENTRIES)
      problems.add(
        `The schema has more than ${MAX_ENTRIES} parts or classes, which the maps of one byte cannot number.`,
        all.schema.name,
      );
    return toCheck(problems, [
      ...classOnlyLoss(classOnly),
      ...otherIdsLoss(table.isOriginal),
      ...(merged > 0
        ? ['Instances of a part are annotations of their own in the COCO files, and one region in the maps.']
        : []),
      'Objects of another class than the image are missing in the map of whole objects, which numbers WordNet ids.',
      layoutLosses.overlap,
      layoutLosses.instances,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};

/** The largest number of parts or WordNet ids. */
const MAX_ENTRIES = 254;
/** Not to be learnt from, in either map. */
const IGNORE = 255;

/** The WordNet ids in the order in which the map of whole objects numbers them. */
const wnidsOf = ({ schema, classNames, wnidOf }: IdTable): string[] =>
  schema.classes
    .filter(({ id }) => classNames.includes(id))
    .flatMap(({ id, wnids: list }) => (list && list.length > 0 ? list : [wnidOf(id)]))
    .sort();

async function* write(all: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = partImageNetTable(all.schema);
  const dataset = withWnids(all, table, options);
  const style = segmentationStyle(options);
  const zOrders = zOrdersOf(dataset.schema);
  const wnids = wnidsOf(table);
  const wholeCategories = wnids.map((name, id) => ({ id, name, supercategory: '' }));
  const partsOf = documents(dataset, (image) => partMasks(image, table), partCategories(table), style);
  const wholeOf = documents(dataset, (image) => wholeMasks(image, wnids), wholeCategories, style);
  yield* idFiles(table);
  for (const split of ['train', 'val', 'test']) {
    yield { path: `annotations/${split}/${split}.json`, chunks: () => partsOf(split) };
    yield { path: `annotations/${split}_whole/${split}.json`, chunks: () => wholeOf(split) };
  }
  for await (const image of dataset.images()) {
    const stem = stemOf(releaseName(image));
    const folder = `annotations/${image.split}`;
    yield jpegFile(`images/${image.split}/${stem}.JPEG`, image, pictures);
    yield { path: `${folder}/${stem}.json`, bytes: () => sizeFile(image) };
    yield {
      path: `${folder}/${stem}.png`,
      bytes: () =>
        map(
          image,
          partLayers(image, zOrders).flatMap(({ object, part: { id, mask } }) => {
            const value = table.find(object.className, id)?.category;
            return value === undefined ? [] : [{ mask, value }];
          }),
          // Parts are numbered from 0, so that the background cannot be 0.
          isLabelled(image) ? table.entries.length : IGNORE,
        ),
    };
    yield {
      path: `${folder}_whole/${stem}.png`,
      bytes: () =>
        map(
          image,
          wholeMasks(image, wnids).map(({ mask, category }) => ({ mask, value: category })),
          isDrawnOn(image) ? wnids.length : IGNORE,
        ),
    };
  }
}

function wholeMasks(image: DatasetImage, wnids: readonly string[]): ReleaseMask[] {
  const category = wnids.indexOf(image.wnid ?? '');
  if (category < 0) return [];
  return image.objects.flatMap((object) => {
    const mask = object.className === image.className ? objectMask(object) : null;
    return mask ? [{ category, mask }] : [];
  });
}

function map(image: DatasetImage, layers: readonly PaintLayer[], background: number): Uint8Array {
  const { width, height } = image;
  const ground = { mask: fullMask(height, width), value: background };
  return encodeLabelPng([ground, ...layers], width, height, 'grey-8');
}

const sizeFile = ({ width, height, wnid, className }: DatasetImage): Uint8Array =>
  new TextEncoder().encode(
    `${JSON.stringify({ imgHeight: height, imgWidth: width, wnid, class: className })}\n`,
  );

const PICTURE = /(^|.*\/)images\/(train|val|test)\/(n\d{8})_([^/]+)\.JPEG$/;
const mapOf = (path: string, suffix = ''): string => {
  const [, root = '', split = '', wnid = '', rest = ''] = PICTURE.exec(path) ?? [];
  return `${root}annotations/${split}${suffix}/${wnid}_${rest}.png`;
};

async function detect(tree: SourceTree): Promise<Detection | null> {
  const paths = pathSet(tree);
  const pictures = tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path)));
  const [first] = pictures;
  if (!first) return null;
  return {
    certainty: 0.96,
    because: `${pictures.length} pictures have a map of parts such as ${mapOf(first)}, as in PartImageNet_Seg`,
  };
}

async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  const table = await readIdTable(tree);
  return createSource(
    table.schema,
    tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path))),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, table, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  table: IdTable,
  notes: Notes,
): Promise<SourceImage> {
  const background = table.entries.length;
  const wholeBackground = wnidsOf(table).length;
  const [, , split = null, wnid = null] = PICTURE.exec(path) ?? [];
  const { width, height, pixels } = await decodePng(await tree.bytes(mapOf(path)));
  const className = table.classOfWnid(wnid ?? '') ?? null;
  if (pixels.every((value) => value === IGNORE)) {
    const bare = emptyImage(tree, path, split);
    return { ...bare, width, height, wnid, groupKey: wnid, className, hasMasks: false };
  }
  const parts = [...splitLabelMap(pixels, width, height, background)].flatMap(([value, mask]) => {
    const part = table.ofCategory(value);
    if (part) return [{ ...importProvenance, id: part.partId, mask, className: part.className }];
    if (value !== IGNORE) notes.add(`pixels of id ${value}, which is no part, were left out`, mapOf(path));
    return [];
  });
  const whole = paths.has(mapOf(path, '_whole'))
    ? await decodePng(await tree.bytes(mapOf(path, '_whole')))
    : null;
  const isObject = whole?.pixels.some((value) => value !== wholeBackground && value !== IGNORE);
  const outline =
    whole && isObject && whole.width === width && whole.height === height
      ? fromBitmap(
          Uint8Array.from(whole.pixels, (value) => (value === wholeBackground || value === IGNORE ? 0 : 1)),
          height,
          width,
        )
      : null;
  const names = [...new Set([...(className ? [className] : []), ...parts.map((part) => part.className)])];
  return {
    ...emptyImage(tree, path, split),
    width,
    height,
    wnid,
    groupKey: wnid,
    className: className ?? names[0] ?? null,
    objects: names.map((name, index) => ({
      className: name,
      instance: index + 1,
      outline: outline && index === 0 ? { ...importProvenance, mask: outline } : null,
      parts: parts
        .filter((part) => part.className === name)
        .map(({ id, mask }) => ({ ...importProvenance, id, mask })),
      absent: [],
    })),
  };
}
