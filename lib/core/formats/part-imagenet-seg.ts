import { fromBitmap, fullMask } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
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
  partCategories,
  partMasks,
  type ReleaseMask,
  releaseName,
  releaseRules,
} from './part-imagenet';
import { toCheck } from './shared/check';
import {
  checkPartLayout,
  classOnlyLoss,
  isDrawnOn,
  isLabelled,
  layoutLosses,
} from './shared/check-part-layout';
import { objectMask, partLayers, splitLabelMap, zOrdersOf } from './shared/part-layers';
import { createSource, emptyImage, importProvenance, type Notes, pathSet } from './shared/read-tree';
import { jpegFile, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'part-imagenet-seg',
  name: 'PartImageNet_Seg',
  summary: 'The later release: a map of parts and a map of whole objects per image, with COCO files.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    let classOnly = 0;
    const problems = await checkPartLayout(
      dataset,
      {
        ...releaseRules,
        needsMasks: true,
        image(image, found) {
          releaseRules.image?.(image, found);
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
          if (image.wnid !== null && wholeIndex(image.wnid) === undefined)
            found.add(
              'A WordNet id is none of the 158 that the release numbers.',
              `${image.name}: ${image.wnid}`,
            );
        },
      },
      options,
    );
    return toCheck(problems, [
      ...classOnlyLoss(classOnly),
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

/** Parts are 0 to 39 here, so that the background cannot be 0. */
const BACKGROUND = 40;
/** Not to be learnt from, in either map. */
const IGNORE = 255;

const wnids = partImageNet.classes.flatMap(({ wnids: list }) => list ?? []).sort();
const WHOLE_BACKGROUND = wnids.length;

/** The place of a WordNet id among the 158. */
const wholeIndex = (wnid: string): number | undefined => {
  const index = wnids.indexOf(wnid);
  return index < 0 ? undefined : index;
};

const wholeCategories = wnids.map((name, id) => ({ id, name, supercategory: '' }));
const categoryOf = new Map(partImageNet.parts.map(({ id, codes }) => [id, codes?.coco as number]));

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const zOrders = zOrdersOf(dataset.schema);
  const partsOf = documents(dataset, partMasks, partCategories);
  const wholeOf = documents(dataset, wholeMasks, wholeCategories);
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
          partLayers(image, zOrders).map(({ part: { id, mask } }) => ({
            mask,
            value: categoryOf.get(id) as number,
          })),
          isLabelled(image) ? BACKGROUND : IGNORE,
        ),
    };
    yield {
      path: `${folder}_whole/${stem}.png`,
      bytes: () =>
        map(
          image,
          wholeMasks(image).map(({ mask, category }) => ({ mask, value: category })),
          isDrawnOn(image) ? WHOLE_BACKGROUND : IGNORE,
        ),
    };
  }
}

function wholeMasks(image: DatasetImage): ReleaseMask[] {
  const category = wholeIndex(image.wnid ?? '');
  if (category === undefined) return [];
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
const partOf = new Map(partImageNet.parts.map((part) => [part.codes?.coco as number, part]));

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
  return createSource(
    partImageNet,
    tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path))),
    (path) => path,
    (path, notes) => readImage(tree, paths, path, notes),
  );
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  path: string,
  notes: Notes,
): Promise<SourceImage> {
  const [, , split = null, wnid = null] = PICTURE.exec(path) ?? [];
  const { width, height, pixels } = await decodePng(await tree.bytes(mapOf(path)));
  const className = partImageNet.classes.find(({ wnids }) => wnids?.includes(wnid ?? ''))?.id ?? null;
  if (pixels.every((value) => value === IGNORE)) {
    const bare = emptyImage(tree, path, split);
    return { ...bare, width, height, wnid, groupKey: wnid, className, hasMasks: false };
  }
  const parts = [...splitLabelMap(pixels, width, height, BACKGROUND)].flatMap(([value, mask]) => {
    const part = partOf.get(value);
    if (part) return [{ ...importProvenance, id: part.id, mask, className: part.classes[0] as string }];
    if (value !== IGNORE) notes.add(`pixels of id ${value}, which is no part, were left out`, mapOf(path));
    return [];
  });
  const whole = paths.has(mapOf(path, '_whole'))
    ? await decodePng(await tree.bytes(mapOf(path, '_whole')))
    : null;
  const isObject = whole?.pixels.some((value) => value !== WHOLE_BACKGROUND && value !== IGNORE);
  const outline =
    whole && isObject && whole.width === width && whole.height === height
      ? fromBitmap(
          Uint8Array.from(whole.pixels, (value) => (value === WHOLE_BACKGROUND || value === IGNORE ? 0 : 1)),
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
