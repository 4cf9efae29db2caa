import { isEmpty, type Mask, merge } from '@/lib/core/mask';
import type { PaintLayer } from './codecs/paint';
import { decodeTiff, encodeTiff } from './codecs/tiff';
import { readYaml } from './codecs/yaml';
import { type Dataset, type DatasetImage, instanceMasks, type ObjectLabel } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, Source, SourceTree } from './format';
import { mergeById } from './shared/annotations';
import { toCheck } from './shared/check';
import { checkPartLayout, excludeUndrawn, layoutLosses } from './shared/check-part-layout';
import { decodeUid, encodeUid, uidMap, writeDatasetSpec } from './shared/panoptic-parts';
import { objectMask, sortLargestFirst, splitLabelMap, zOrdersOf } from './shared/part-layers';
import {
  inferPairSchema,
  listPartPairs,
  type NamedPart,
  type PairVocabulary,
  pairVocabulary,
} from './shared/part-pairs';
import {
  createSource,
  emptyImage,
  findPaths,
  importProvenance,
  isRecord,
  type Notes,
  PicturePaths,
  parseSplit,
  readText,
} from './shared/read-tree';
import { readSchemaFile, schemaFile } from './shared/vocabulary';
import { jpegFile, stemOf } from './shared/write-files';

const SPEC_PATH = 'datasetspec.yaml';
/** Two digits each in a uid. */
const MAX_NUMBER = 99;

/** Numbers of a class and of the instances of its parts. */
interface ClassNumbers {
  sid: number;
  isStuff: boolean;
  /** The numbers of a part: as many as one object has instances of it. */
  pids: Map<string, number[]>;
}

type Numbers = Map<string, ClassNumbers>;

/** Gives parts one number per instance while the 99 numbers of a class last. Reads all labels once. */
async function numberParts(dataset: Dataset): Promise<Numbers> {
  const most = new Map<string, number>();
  for await (const { objects } of dataset.images())
    for (const { className, parts } of objects)
      for (const { id, instances } of parts) {
        const key = `${className} ${id}`;
        most.set(key, Math.max(most.get(key) ?? 1, instances?.length ?? 1));
      }
  const pairs = listPartPairs(dataset.schema);
  return new Map(
    dataset.schema.classes.map(({ id: className, kind }, index) => {
      const own = pairs.filter((pair) => pair.className === className);
      let spare = MAX_NUMBER - own.length;
      let next = 1;
      const pids = new Map<string, number[]>();
      for (const { id } of own) {
        const more = Math.min((most.get(`${className} ${id}`) ?? 1) - 1, Math.max(0, spare));
        spare -= more;
        pids.set(
          id,
          Array.from({ length: 1 + more }, (_, i) => next + i),
        );
        next += 1 + more;
      }
      return [className, { sid: index + 1, isStuff: kind === 'stuff', pids }] as const;
    }),
  );
}

const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);

/** The position of a name is its number, so that a part with several numbers is listed as often. */
function specFile({ name, schema }: Dataset, numbers: Numbers): Uint8Array {
  const pairs = listPartPairs(schema);
  return writeDatasetSpec(
    name,
    schema.classes.map(({ id, kind }, index) => {
      const own = pairs.filter(({ className }) => className === id);
      const colour = schema.parts.find((part) => part.classes.includes(id))?.colour ?? '#808080';
      const pids = (partId: string) => numbers.get(id)?.pids.get(partId) ?? [];
      return {
        name: id,
        hasInstances: kind !== 'stuff',
        colour:
          own.length > 0
            ? ([channel(colour, 1), channel(colour, 3), channel(colour, 5)] as const)
            : ([(index * 67) % 256, (index * 137) % 256, (index * 29) % 256] as const),
        parts: own.flatMap((pair) =>
          pids(pair.id).map((_, i) => (i === 0 ? pair.name : `${pair.name}_${i + 1}`)),
        ),
        counted: Object.fromEntries(
          own.filter((pair) => pids(pair.id).length > 1).map((pair) => [pair.name, pids(pair.id)]),
        ),
      };
    }),
  );
}

const isCrowd = ({ outline }: ObjectLabel): boolean => outline?.flags?.includes('crowd') ?? false;

/** From back to front: stuff, then objects, each followed by its parts. Instances count from 1 in a class. */
function layersOf(image: DatasetImage, numbers: Numbers, zOrders: ReadonlyMap<string, number>): PaintLayer[] {
  const drawn = image.objects.flatMap((object) => {
    const own = object.className === null ? undefined : numbers.get(object.className);
    const mask = objectMask(object);
    return own && mask ? [{ object, own, mask }] : [];
  });
  const isBehind = ({ own }: (typeof drawn)[number]) => own.isStuff;
  const ordered = [...drawn.filter(isBehind), ...drawn.filter((each) => !isBehind(each)).reverse()];
  return ordered.flatMap(({ object, own, mask }) => {
    const { sid } = own;
    if (own.isStuff || isCrowd(object)) return [{ mask, value: encodeUid({ sid, iid: -1, pid: -1 }) }];
    const iid = object.instance;
    const parts = [...object.parts].sort((a, b) => (zOrders.get(a.id) ?? 0) - (zOrders.get(b.id) ?? 0));
    return [
      { mask, value: encodeUid({ sid, iid, pid: -1 }) },
      ...parts.flatMap((part) => {
        const pids = own.pids.get(part.id) ?? [0];
        return instanceMasks(part).map((instance, i) => ({
          mask: instance,
          value: encodeUid({ sid, iid, pid: pids[Math.min(i, pids.length - 1)] as number }),
        }));
      }),
    ];
  });
}

async function* write(all: Dataset, _options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const { dataset } = excludeUndrawn(all);
  const numbers = await numberParts(dataset);
  const zOrders = zOrdersOf(dataset.schema);
  yield schemaFile(dataset.schema);
  yield { path: SPEC_PATH, bytes: () => specFile(dataset, numbers) };
  for await (const image of dataset.images()) {
    const stem = stemOf(image.name);
    const { width, height } = image;
    yield jpegFile(`images/${image.split}/${stem}.jpg`, image, pictures);
    yield {
      path: `annotations/${image.split}/${stem}.tif`,
      bytes: () =>
        encodeTiff({
          width,
          height,
          pixels: uidMap(image, layersOf(image, numbers, zOrders)),
          compression: 'lzw',
        }),
    };
  }
}

export const format: Format = {
  id: 'panoptic-parts',
  name: 'Panoptic parts',
  summary:
    'Maps of panoptic-parts numbers for any classes, with stuff and several instances of a part, and their specification.',
  kind: 'own layout',
  holds: ['instances', 'stuff', 'crowd'],
  holdsClasses: false,
  options: [],
  async check(dataset, options) {
    const drawn = excludeUndrawn(dataset);
    const numbers = await numberParts(drawn.dataset);
    let merged = 0;
    const problems = await checkPartLayout(
      drawn.dataset,
      {
        knows: dataset.schema,
        readers: 'code that reads panoptic parts',
        fileName: ({ name }) => `${stemOf(name)}.jpg`,
        needsMasks: true,
        hasInstances: true,
        image({ objects }) {
          for (const { className, parts } of objects)
            for (const { id, instances } of parts) {
              const count = numbers.get(className ?? '')?.pids.get(id)?.length ?? 1;
              if ((instances?.length ?? 1) > count) merged += 1;
            }
        },
      },
      options,
    );
    if (dataset.schema.classes.length > MAX_NUMBER)
      problems.add(
        `The numbers have two digits for a class: at most ${MAX_NUMBER} are possible.`,
        `${dataset.schema.classes.length} classes`,
      );
    for (const [className, { pids }] of numbers)
      if (pids.size > MAX_NUMBER)
        problems.add(
          `The numbers have two digits for a part: at most ${MAX_NUMBER} are possible in a class.`,
          className,
        );
    return toCheck(problems, [
      ...drawn.losses(),
      ...(merged > 0
        ? [`The last instances of ${merged} parts are merged: a class has ${MAX_NUMBER} numbers for parts.`]
        : []),
      'Regions of one stuff class in an image, and its crowd regions, are one region each.',
      'Objects without an outline get the union of their parts; the class of an image is that of its largest object.',
      'A part of a part is one of its object for readers of the maps; only the schema file knows its parent.',
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

const SPEC = /(^|\/)[^/]*datasetspec[^/]*\.ya?ml$/i;
const MAP = /\.tiff?$/i;

async function detect(tree: SourceTree): Promise<Detection | null> {
  const [path] = findPaths(tree, SPEC);
  const maps = tree.paths.filter((each) => MAP.test(each));
  if (path === undefined || maps.length === 0) return null;
  if (!isRecord(readYaml(await readText(tree, path)).scene_class2part_classes)) return null;
  // Cityscapes and PASCAL panoptic parts have such a file too, and folders of their own.
  return { certainty: 0.85, because: `${path} specifies the numbers of ${maps.length} TIFF maps` };
}

interface Spec {
  vocabulary: PairVocabulary;
  /** Classes from number 1. */
  classes: { name: string; isStuff: boolean; parts: Map<number, NamedPart> }[];
}

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

async function readSpec(tree: SourceTree): Promise<Spec> {
  const [path] = findPaths(tree, SPEC);
  if (path === undefined) throw new Error('There is no specification (datasetspec.yaml).');
  const yaml = readYaml(await readText(tree, path));
  const given = isRecord(yaml.scene_class2part_classes) ? yaml.scene_class2part_classes : {};
  const groups = isRecord(yaml.countable_pids_groupings) ? yaml.countable_pids_groupings : {};
  const things = new Set(listOf(yaml.scene_classes_with_instances));
  const classes = Object.entries(given)
    .filter(([name]) => name !== 'UNLABELED')
    .slice(0, MAX_NUMBER)
    .map(([className, names]) => ({
      name: className,
      isStuff: !things.has(className),
      parts: partsOf(className, listOf(names), isRecord(groups[className]) ? groups[className] : {}),
    }));
  const own = await readSchemaFile(tree);
  return {
    classes,
    vocabulary: own
      ? pairVocabulary(own)
      : inferPairSchema(
          path,
          classes,
          classes.flatMap(({ isStuff, parts }) => (isStuff ? [] : [...parts.values()])),
        ),
  };
}

/** A grouping gives several numbers to one part, such as the wheels of a car. */
function partsOf(className: string, names: readonly string[], groups: Record<string, unknown>) {
  const parts = new Map<number, NamedPart>();
  names
    .filter((name) => name !== 'UNLABELED')
    .slice(0, MAX_NUMBER)
    .forEach((name, index) => {
      parts.set(index + 1, { className, name });
    });
  for (const [name, numbers] of Object.entries(groups))
    for (const number of listOf(numbers).map(Number))
      if (Number.isInteger(number) && number > 0 && number <= MAX_NUMBER)
        parts.set(number, { className, name, isNumbered: true });
  return parts;
}

async function read(tree: SourceTree): Promise<Source> {
  const spec = await readSpec(tree);
  const pictures = new PicturePaths(tree, (path) => !MAP.test(path));
  return createSource(
    spec.vocabulary.schema,
    tree.paths.filter((path) => MAP.test(path)),
    (path) => path,
    async (path, notes) => {
      const stem = /([^/]+)\.tiff?$/i.exec(path)?.[1] ?? '';
      const folder = path.split('/').at(-2) ?? '';
      const picture = pictures.find(`${stem}.jpg`, folder) ?? pictures.find(`${stem}.png`, folder);
      if (!picture) {
        notes.add('maps without a picture were left out', path);
        return null;
      }
      const { width, height, pixels } = await decodeTiff(await tree.bytes(path));
      const objects = sortLargestFirst(objectsOf(splitLabelMap(pixels, width, height), spec, notes, path));
      return {
        ...emptyImage(tree, picture, parseSplit(`/${folder}/`) ?? (folder || null)),
        width,
        height,
        className: objects.find(({ outline }) => !outline?.flags)?.className ?? null,
        objects,
      };
    },
  );
}

function objectsOf(
  values: ReadonlyMap<number, Mask>,
  { classes, vocabulary }: Spec,
  notes: Notes,
  where: string,
): ObjectLabel[] {
  const groups = new Map<number, { index: number; iid: number; masks: [pid: number, mask: Mask][] }>();
  for (const [value, mask] of values) {
    const { sid, iid, pid } = decodeUid(value);
    const index = sid - 1;
    if (!classes[index]) {
      notes.add(`regions of class ${sid}, which is not specified, were left out`, where);
      continue;
    }
    const key = iid < 0 ? sid : sid * 1000 + iid;
    const group = groups.get(key) ?? { index, iid, masks: [] };
    groups.set(key, group);
    group.masks.push([pid, mask]);
  }
  return [...groups.values()].flatMap(({ index, iid, masks }): ObjectLabel[] => {
    const entry = classes[index] as Spec['classes'][number];
    const className = vocabulary.classId(entry.name);
    if (className === undefined) {
      notes.add(`regions of "${entry.name.slice(0, 40)}" were left out`, where);
      return [];
    }
    const parts = masks.flatMap(([pid, mask]) => {
      const part = pid > 0 ? entry.parts.get(pid) : undefined;
      const id = part && vocabulary.partId(part);
      if (pid > 0 && id === undefined)
        notes.add(`part pixels of number ${pid}, which ${entry.name} has not, count as the object`, where);
      return id === undefined || isEmpty(mask) ? [] : [{ ...importProvenance, id, mask }];
    });
    // A region of things without an instance is a group that nobody told apart.
    const flags = iid < 0 && !entry.isStuff ? { flags: ['crowd'] as const } : {};
    const whole = merge(masks.map(([, mask]) => mask));
    const outline = { ...importProvenance, mask: whole, ...flags };
    return [{ className, instance: 1, outline, parts: mergeById(parts), absent: [] }];
  });
}
