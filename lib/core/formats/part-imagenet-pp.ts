import { isEmpty } from '@/lib/core/mask';
import { partsOfClass } from '@/lib/core/schema/types';
import { encodeLabelPng } from './codecs/label-png';
import { decodePng } from './codecs/png';
import type { Dataset, DatasetImage } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, Source, SourceTree } from './format';
import { toCheck } from './shared/check';
import { checkPartLayout, isLabelled, layoutLosses } from './shared/check-part-layout';
import { partLayers, splitLabelMap, zOrdersOf } from './shared/part-layers';
import { inferPairSchema, nameWithin, type PairVocabulary, pairVocabulary } from './shared/part-pairs';
import {
  asRecords,
  baseName,
  createSource,
  emptyImage,
  findPaths,
  folderOf,
  importProvenance,
  parseSplit,
  pathSet,
  readJson,
  readText,
} from './shared/read-tree';
import { readSchemaFile, schemaFile } from './shared/vocabulary';
import { jpegFile, stemOf } from './shared/write-files';

/** The loader takes its table of classes only if the path has this word in it. */
const ROOT = 'partimagenetpp';
const MAX_VALUE = 65_535;

/** A folder of the layout: a WordNet id, or the class of images that have none. */
interface Folder {
  name: string;
  className: string;
  /** Ids of its parts. The first has the number `offset`. */
  parts: string[];
  offset: number;
}

const folderOfImage = ({ wnid, className }: Pick<DatasetImage, 'wnid' | 'className'>): string =>
  wnid ?? (className as string);

/** Sorted by name. Parts are numbered from 1 over all folders; 0 is the background. */
async function listFolders(dataset: Dataset): Promise<Map<string, Folder>> {
  const classNames = new Map<string, string>();
  for await (const image of dataset.images())
    if (image.className !== null) classNames.set(folderOfImage(image), image.className);
  let offset = 1;
  const folders = [...classNames]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, className]): Folder => {
      const parts = partsOfClass(dataset.schema, className).map(({ id }) => id);
      const folder = { name, className, parts, offset };
      offset += parts.length;
      return folder;
    });
  return new Map(folders.map((folder) => [folder.name, folder]));
}

async function* write(dataset: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const folders = await listFolders(dataset);
  const zOrders = zOrdersOf(dataset.schema);
  yield schemaFile(dataset.schema);
  yield { path: `${ROOT}/classes.json`, bytes: () => classesFile([...folders.values()]) };
  yield { path: `${ROOT}/classinfo_1k_pp.py`, bytes: () => classInfo([...folders.values()]) };
  for (const split of dataset.splits)
    for (const { name } of folders.values()) {
      // A class is the place of its folder, so that every split needs all of them.
      yield { path: `${ROOT}/${split}/img/${name}/` };
      yield { path: `${ROOT}/${split}/seg/${name}/` };
      yield {
        path: `${ROOT}/${split}/whether_pseudo/${name}.txt`,
        chunks: () => pseudoLines(dataset, split, name),
      };
    }
  for await (const image of dataset.images()) {
    const folder = folders.get(folderOfImage(image)) as Folder;
    const stem = stemOf(image.name);
    yield jpegFile(`${ROOT}/${image.split}/img/${folder.name}/${stem}.JPEG`, image, pictures);
    yield {
      path: `${ROOT}/${image.split}/seg/${folder.name}/${stem}.png`,
      bytes: () => partMap(image, folder, zOrders),
    };
  }
}

const encoder = new TextEncoder();

const classesFile = (folders: readonly Folder[]): Uint8Array =>
  encoder.encode(
    `${JSON.stringify(
      folders.map(({ name, className, parts, offset }) => ({
        folder: name,
        class: className,
        first: offset,
        parts: parts.map((id) => nameWithin(className, id)),
      })),
      null,
      1,
    )}\n`,
  );

/** In the form of the file in the loader's code that it replaces. */
const classInfo = (folders: readonly Folder[]): Uint8Array =>
  encoder.encode(
    `CLASSES = {\n${folders.map(({ name, parts }) => `${JSON.stringify(name)}: ${parts.length},\n`).join('')}}\n`,
  );

/** 1 if a model made the labels: it is known of images that were imported so. */
async function* pseudoLines(dataset: Dataset, split: string, folder: string) {
  for await (const image of dataset.images())
    if (image.split === split && folderOfImage(image) === folder)
      yield `${folder}/${stemOf(image.name)}.JPEG ${image.columns.pseudo === '1' ? 1 : 0}\n`;
}

function partMap(image: DatasetImage, folder: Folder, zOrders: ReadonlyMap<string, number>): Uint8Array {
  const { width, height } = image;
  const layers = partLayers(image, zOrders).flatMap(({ object, part: { id, mask } }) => {
    const place = folder.parts.indexOf(id);
    return object.className !== folder.className || place < 0 || isEmpty(mask)
      ? []
      : [{ mask, value: folder.offset + place }];
  });
  // Eight bits would be scaled to 0 … 1 by the loader's ToTensor; 16 bits stay numbers.
  return encodeLabelPng(layers, width, height, 'grey-16');
}

export const format: Format = {
  id: 'part-imagenet-pp',
  name: 'PartImageNet++',
  summary: 'Pictures, 16-bit maps of parts and marks of pseudo labels in folders by WordNet id or class.',
  kind: 'own layout',
  options: [],
  async check(dataset, options) {
    let others = 0;
    let blank = 0;
    const problems = await checkPartLayout(
      dataset,
      {
        knows: dataset.schema,
        readers: 'the loader of PartImageNet++',
        fileName: ({ name }) => `${stemOf(name)}.JPEG`,
        name: (name) =>
          /[\s]|\..*\./.test(name) ? 'has a space or a further dot, at which the loader cuts it' : null,
        needsClass: true,
        usesWnid: true,
        image(image, found) {
          if (!isLabelled(image)) blank += 1;
          if (image.objects.some(({ className, parts }) => className !== image.className && parts.length > 0))
            others += 1;
          if (['img', 'seg', 'whether_pseudo'].includes(image.split))
            found.add('A split is called like a folder of the layout.', image.split);
        },
      },
      options,
    );
    const folders = [...(await listFolders(dataset)).values()];
    const last = folders.at(-1);
    if (last && last.offset + last.parts.length > MAX_VALUE)
      problems.add(`The maps have ${MAX_VALUE} numbers for parts.`, `${folders.length} folders`);
    const names = new Map(folders.map(({ name, className }) => [name.toLowerCase(), className]));
    if (names.size < folders.length)
      problems.add('Two folders differ only in upper and lower case.', `${folders.length} folders`);
    return toCheck(problems, [
      'Classes and parts have the numbers of classes.json: replace classinfo_1k_pp.py in the loader by the one here.',
      ...(blank > 0 ? [`${blank} images have an empty map, because no part of them was drawn.`] : []),
      ...(others > 0 ? [`Objects of another class than the image are left out on ${others} images.`] : []),
      layoutLosses.instances,
      layoutLosses.outlines,
      layoutLosses.overlap,
      layoutLosses.attributes,
      layoutLosses.absent,
      layoutLosses.provenance,
      'Group and columns of an image are left out, except a column "pseudo".',
    ]);
  },
  write,
  reader: { detect, read },
};

const PICTURE = /^(.*\/)?img\/([^/]+)\/([^/]+)\.(?:JPEG|jpe?g|png)$/;

function mapOf(picture: string): string {
  const [, root = '', folder = '', name = ''] = PICTURE.exec(picture) ?? [];
  return `${root}seg/${folder}/${name.split('.')[0]}.png`;
}

const picturesOf = (tree: SourceTree): string[] => {
  const paths = pathSet(tree);
  return tree.paths.filter((path) => PICTURE.test(path) && paths.has(mapOf(path)));
};

async function detect(tree: SourceTree): Promise<Detection | null> {
  const pictures = picturesOf(tree);
  const [first] = pictures;
  if (!first) return null;
  const hasMarks = tree.paths.some((path) => /(^|\/)whether_pseudo\/[^/]+\.txt$/.test(path));
  const isNamed = /(^|\/)n\d{8}\//.test(first);
  if (!hasMarks && !isNamed) return null;
  return {
    certainty: 0.95,
    because: `${pictures.length} pictures under img/ have a map under seg/ such as ${mapOf(first)}, as in PartImageNet++`,
  };
}

interface ReadFolder {
  className: string;
  parts: Map<number, string>;
}

/** Maps that are looked at for the numbers of a folder, if no file lists them. */
const SAMPLED_MAPS = 40;

async function readFolders(tree: SourceTree, pictures: readonly string[]) {
  const [path] = findPaths(tree, /(^|\/)classes\.json$/);
  const given = path === undefined ? [] : asRecords(await readJson(tree, path).catch(() => null));
  const folders = new Map<string, ReadFolder>();
  for (const { folder, class: className, first, parts } of given) {
    if (typeof folder !== 'string' || typeof className !== 'string' || !Array.isArray(parts)) continue;
    const numbered = parts.map((part, i) => [Number(first) + i, String(part)] as const);
    folders.set(folder, { className, parts: new Map(numbered) });
  }
  if (folders.size > 0) return folders;
  // The release has no names: its parts are numbered within their class.
  for (const picture of pictures) {
    const name = baseName(folderOf(picture));
    const folder = folders.get(name) ?? { className: name, parts: new Map<number, string>() };
    folders.set(name, folder);
  }
  for (const [name, folder] of folders) {
    const own = pictures.filter((picture) => baseName(folderOf(picture)) === name).slice(0, SAMPLED_MAPS);
    const values = new Set<number>();
    for (const picture of own) {
      const { width, height, pixels } = await decodePng(await tree.bytes(mapOf(picture)));
      for (const value of splitLabelMap(pixels, width, height).keys()) values.add(value);
    }
    [...values]
      .sort((a, b) => a - b)
      .forEach((value, i) => {
        folder.parts.set(value, `${name} part ${i + 1}`);
      });
  }
  return folders;
}

async function readMarks(tree: SourceTree): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  for (const path of tree.paths.filter((each) => /(^|\/)whether_pseudo\/[^/]+\.txt$/.test(each)))
    for (const line of (await readText(tree, path)).split('\n')) {
      const [name = '', mark = ''] = line.trim().split(' ');
      if (mark === '1') marks.set(`${baseName(path).replace(/\.txt$/, '')}/${baseName(name)}`, mark);
    }
  return marks;
}

async function read(tree: SourceTree): Promise<Source> {
  const pictures = picturesOf(tree);
  const folders = await readFolders(tree, pictures);
  const marks = await readMarks(tree);
  const own = await readSchemaFile(tree);
  const vocabulary: PairVocabulary = own
    ? pairVocabulary(own)
    : inferPairSchema(
        'PartImageNet++',
        [...folders.values()].map(({ className }) => ({ name: className })),
        [...folders.values()].flatMap(({ className, parts }) =>
          [...parts.values()].map((name) => ({ className, name })),
        ),
      );
  return createSource(
    vocabulary.schema,
    pictures,
    (path) => path,
    async (path, notes) => {
      const name = baseName(folderOf(path));
      const folder = folders.get(name);
      const className = (folder && vocabulary.classId(folder.className)) ?? null;
      const { width, height, channels, pixels } = await decodePng(await tree.bytes(mapOf(path)));
      if (channels !== 1) throw new Error('a map has colours where numbers are expected');
      const parts = [...splitLabelMap(pixels, width, height)].flatMap(([value, mask]) => {
        const partName = folder?.parts.get(value);
        const id =
          partName === undefined
            ? undefined
            : vocabulary.partId({ className: folder?.className ?? '', name: partName });
        if (id !== undefined) return [{ ...importProvenance, id, mask }];
        notes.add(`pixels of number ${value}, which is no part of ${name}, were left out`, mapOf(path));
        return [];
      });
      const splitFolder = folderOf(folderOf(folderOf(path)));
      const mark = marks.get(`${name}/${baseName(path)}`);
      const columns: Record<string, string> = mark === undefined ? {} : { pseudo: mark };
      const wnid = /^n\d{8}$/.test(name) ? name : null;
      return {
        ...emptyImage(tree, path, parseSplit(`/${baseName(splitFolder)}/`) ?? null),
        width,
        height,
        wnid,
        groupKey: wnid,
        className,
        columns,
        objects: parts.length > 0 ? [{ className, instance: 1, outline: null, parts, absent: [] }] : [],
      };
    },
  );
}
