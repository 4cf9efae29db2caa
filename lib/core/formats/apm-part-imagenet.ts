import { area, boundingBox } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { encodePartMap, noMap, paintMap } from './codecs/paint';
import { decodeTiff, encodeTiff } from './codecs/tiff';
import type { Dataset, DatasetImage, ObjectLabel } from './dataset';
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
import { toCheck } from './shared/check';
import { checkPartLayout, classOnlyLoss, isLabelled, layoutLosses } from './shared/check-part-layout';
import {
  type IdTable,
  idFiles,
  idsOption,
  otherIdsLoss,
  partImageNetTable,
  readIdTable,
} from './shared/id-table';
import { partLayers, splitLabelMap, zOrdersOf } from './shared/part-layers';
import {
  createSource,
  emptyImage,
  importProvenance,
  type Notes,
  pathSet,
  readText,
} from './shared/read-tree';
import { jpegFile, stemOf, streamJsonArray } from './shared/write-files';

export const format: Format = {
  id: 'apm-part-imagenet',
  name: 'Part-ImageNet for the part-model code',
  summary:
    'Pictures, a list per class and split, and masks with one part id a pixel, as the code of the part-based models reads them. With labels=boxes the masks go to BoxSegmentations.',
  kind: 'part-model code',
  options: [idsOption],
  async check(dataset, options) {
    const table = partImageNetTable(dataset.schema);
    const isStrict = options.ids === 'original';
    let classOnly = 0;
    const problems = await checkPartLayout(
      dataset,
      {
        knows: isStrict || table.isOriginal ? partImageNet : dataset.schema,
        hasClassFolders: true,
        readers: 'the part-model code',
        fileName: ({ name }) => `${stemOf(name)}.JPEG`,
        name: (name) => (/^\s/.test(name) ? 'begins with a space' : null),
        splits: SPLITS,
        needsEverySplit: true,
        needsClass: true,
        usesWnid: true,
        image: (image) => {
          if (image.hasMasks && !isLabelled(image)) classOnly += 1;
        },
      },
      options,
    );
    return toCheck(problems, [
      ...classOnlyLoss(classOnly),
      ...otherIdsLoss(table.isOriginal),
      layoutLosses.overlap,
      layoutLosses.instances,
      layoutLosses.outlines,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      layoutLosses.columns,
    ]);
  },
  write,
  reader: { detect, read },
};

const SPLITS = ['train', 'val', 'test'] as const;

/** The WordNet id, or the class of an image that has none. */
const folderOf = (image: DatasetImage): string => image.wnid ?? image.className ?? '';

/** The name of an image in a list: one slash, no extension. */
const lineOf = (image: DatasetImage): string => `${folderOf(image)}/${stemOf(image.name)}`;

const picturePath = (image: DatasetImage): string => `JPEGImages/${lineOf(image)}.JPEG`;

/** The value for `--seg-label-dir`. */
const maskFolder = (isBoxes: boolean): string => `${isBoxes ? 'BoxSegmentations' : 'PartSegmentations'}/All`;

const classFolder = (root: string, split: string, className: string): string =>
  `${root}/${split}/${className}/`;

const listPath = (root: string, split: string, className: string): string =>
  `${root}/${split}/${className}.txt`;

const boxesPath = (split: string): string => `PartBoxSegmentations/${split}.json`;

/** The list of one class: the path before the mask folder, then the kind of folder, the split and the class. */
const LIST = /(?:^|\/)((?:Part|Box)Segmentations)\/[^/]+\/(train|val|test)\/([^/]+)\.txt$/;

async function* write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const root = maskFolder(options.labels === 'boxes');
  const zOrders = zOrdersOf(dataset.schema);
  const table = partImageNetTable(dataset.schema);
  const { classNames } = table;
  yield* idFiles(table);
  // The training code numbers classes by the folders it finds in each split, so every split needs all folders.
  for (const split of SPLITS) for (const name of classNames) yield { path: classFolder(root, split, name) };
  // Keeps one line per image: reading the dataset again for each of the 33 lists would dominate the run time.
  const lists = new Map<string, string>();
  for await (const image of dataset.images()) {
    const list = listPath(root, image.split, image.className ?? '');
    lists.set(list, `${lists.get(list) ?? ''}${lineOf(image)}\n`);
    yield jpegFile(picturePath(image), image, pictures);
    yield {
      path: `${classFolder(root, image.split, image.className ?? '')}${stemOf(image.name)}.tif`,
      bytes: () => maskFile(image, zOrders, table),
    };
  }
  for (const split of SPLITS)
    for (const name of classNames) {
      const path = listPath(root, split, name);
      const lines = lists.get(path) ?? '';
      yield { path, bytes: () => new TextEncoder().encode(lines) };
    }
  for (const split of SPLITS) yield { path: boxesPath(split), chunks: () => boxes(dataset, split, table) };
}

function maskFile(image: DatasetImage, zOrders: ReadonlyMap<string, number>, table: IdTable): Uint8Array {
  const { width, height } = image;
  if (!isLabelled(image)) return noMap(width, height);
  const layers = partLayers(image, zOrders).flatMap(({ object, part: { id, mask } }) => {
    const value = table.find(object.className, id)?.mask;
    return value === undefined ? [] : [{ mask, value }];
  });
  return table.entries.length > MAX_BYTE
    ? encodeTiff({ width, height, pixels: paintMap(layers, width, height, 32), compression: 'packbits' })
    : encodePartMap(layers, width, height);
}

/** The largest value of a map of bytes. */
const MAX_BYTE = 255;

/** Part boxes for the detection variant of the code. All boxes of an image have its class. */
async function* boxes(dataset: Dataset, split: string, table: IdTable) {
  yield '{"images":';
  yield* streamJsonArray(images(dataset, split));
  yield ',\n"annotations":';
  yield* streamJsonArray(annotations(dataset, split, table));
  yield ',\n"categories":';
  yield* streamJsonArray(
    table.entries.map(({ category, className, partId }) => ({
      id: category,
      name: partId,
      supercategory: className,
    })),
  );
  yield '}\n';
}

async function* images(dataset: Dataset, split: string) {
  let id = 0;
  for await (const image of dataset.images()) {
    id += 1;
    const { width, height } = image;
    if (image.split === split && isLabelled(image))
      yield { id, file_name: `${lineOf(image)}.JPEG`, width, height };
  }
}

async function* annotations(dataset: Dataset, split: string, table: IdTable) {
  let imageId = 0;
  let id = 0;
  for await (const image of dataset.images()) {
    imageId += 1;
    if (image.split !== split || !isLabelled(image)) continue;
    for (const object of image.objects) {
      if (object.className !== image.className) continue;
      for (const part of object.parts) {
        const size = area(part.mask);
        if (size === 0) continue;
        id += 1;
        yield {
          id,
          image_id: imageId,
          category_id: table.find(object.className, part.id)?.category,
          bbox: boundingBox(part.mask),
          area: size,
          iscrowd: 0,
        };
      }
    }
  }
}

async function detect(tree: SourceTree): Promise<Detection | null> {
  const lists = listsOf(tree, await readIdTable(tree).catch(() => partImageNetTable(partImageNet)));
  const [first] = lists;
  if (!first) return null;
  return {
    certainty: 0.97,
    because: `${first.path} and ${lists.length - 1} more lists name the images of a class, as the part-model code reads them`,
  };
}

function listsOf(tree: SourceTree, { classNames }: IdTable) {
  const lists = tree.paths.flatMap((path) => {
    const found = LIST.exec(path);
    const [, kind = '', split = '', className = ''] = found ?? [];
    return found && classNames.includes(className) ? [{ path, kind, split, className }] : [];
  });
  // Prefer the drawn masks to their boxes.
  const kind = lists.some((list) => list.kind === 'PartSegmentations')
    ? 'PartSegmentations'
    : 'BoxSegmentations';
  return lists.filter((list) => list.kind === kind);
}

async function read(tree: SourceTree): Promise<Source> {
  const paths = pathSet(tree);
  const entries: Entry[] = [];
  const table = await readIdTable(tree);
  for (const { path, kind, split, className } of listsOf(tree, table)) {
    const root = path.slice(0, path.lastIndexOf(kind));
    for (const line of (await readText(tree, path)).split('\n')) {
      const [folder, stem] = line.trim().split('/');
      if (!folder || !stem) continue;
      entries.push({
        picture: `${root}JPEGImages/${folder}/${stem}.JPEG`,
        mask: `${path.slice(0, -'.txt'.length)}/${stem}.tif`,
        wnid: /^n\d{8}$/.test(folder) ? folder : null,
        split,
        className,
      });
    }
  }
  return createSource(
    table.schema,
    entries,
    ({ picture }) => picture,
    (entry, notes) => readImage(tree, paths, entry, table, notes),
  );
}

interface Entry {
  picture: string;
  mask: string;
  wnid: string | null;
  split: string;
  className: string;
}

async function readImage(
  tree: SourceTree,
  paths: ReadonlySet<string>,
  { picture, mask, wnid, split, className }: Entry,
  table: IdTable,
  notes: Notes,
): Promise<SourceImage | null> {
  if (!paths.has(picture)) {
    notes.add('pictures that a list names are not there and were left out', picture);
    return null;
  }
  const image = { ...emptyImage(tree, picture, split), className, wnid };
  if (!paths.has(mask)) {
    notes.add('images have no mask file and keep their class only', mask);
    return { ...image, hasMasks: false };
  }
  const { width, height, pixels } = await decodeTiff(await tree.bytes(mask));
  if (pixels.every((value) => value === -1)) return { ...image, width, height, hasMasks: false };
  const objects = new Map<string, ObjectLabel>([[className, emptyObject(className, 1)]]);
  for (const [id, part] of splitLabelMap(pixels, width, height)) {
    const entry = table.ofMask(id);
    if (!entry) {
      notes.add(`pixels of id ${id}, which is no part, were left out`, mask);
      continue;
    }
    const owner = entry.className;
    const object = objects.get(owner) ?? emptyObject(owner, objects.size + 1);
    objects.set(owner, object);
    object.parts.push({ ...importProvenance, id: entry.partId, mask: part });
  }
  return { ...image, width, height, objects: [...objects.values()] };
}

const emptyObject = (className: string, instance: number): ObjectLabel => ({
  className,
  instance,
  outline: null,
  parts: [],
  absent: [],
});
