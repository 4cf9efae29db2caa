import { boundingBox, intersectionArea, isEmpty, type Mask } from '@/lib/core/mask';
import type { DatasetSchema, LabelFlag } from '@/lib/core/schema/types';
import { encodeLabelPng, encodeMaskPng } from '../codecs/label-png';
import { type Dataset, type DatasetImage, instanceMasks } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { toFacts } from '../shared/image-record';
import { objectMask, zOrdersOf } from '../shared/part-layers';
import { schemaFile } from '../shared/vocabulary';
import { jpegFile, stemOf } from '../shared/write-files';

/** Numbers of names: red has a tenth of its number in multiples of ten, of which 25 fit; green has 256. */
export const MAX_CLASSES = 25 * 256 + 255;
/** Blue. */
export const MAX_OBJECTS = 255;

const FOLDERS: Readonly<Record<string, string>> = { train: 'training', val: 'validation' };
export const splitOfFolder = (folder: string): string | null =>
  Object.entries(FOLDERS).find(([, name]) => name === folder)?.[0] ?? null;

/** An object, an instance of a part, or an instance of a part of a part. */
export interface Entry {
  id: number;
  level: 0 | 1 | 2;
  /** Id of a class or a part. */
  name: string;
  mask: Mask;
  flags: readonly LabelFlag[];
  parent: Entry | null;
  /** Of an object. */
  instance: number;
  isDerived: boolean;
}

/** Objects, then parts, then parts of parts: the order in which they cover each other. */
export function entriesOf(image: DatasetImage, schema: DatasetSchema): Entry[] {
  if (!image.hasMasks) return [];
  const parents = new Map(schema.parts.map(({ id, parent }) => [id, parent]));
  const zOrders = zOrdersOf(schema);
  const levels: [Entry[], Entry[], Entry[]] = [[], [], []];
  const add = (entry: Omit<Entry, 'id'>): Entry => {
    const made = { ...entry, id: 0 };
    levels[entry.level].push(made);
    return made;
  };
  for (const { className, instance, outline, parts } of image.objects) {
    const mask = outline?.mask ?? objectMask({ className, instance, outline, parts, absent: [] });
    if (className === null || !mask) continue;
    const object = add({
      level: 0,
      name: className,
      mask,
      flags: outline?.flags ?? [],
      parent: null,
      instance,
      isDerived: outline === null,
    });
    const own: Entry[] = [];
    const sorted = [...parts].sort((a, b) => (zOrders.get(a.id) ?? 0) - (zOrders.get(b.id) ?? 0));
    // Parents first: a part of a part names the instance on which it lies.
    const isFine = ({ id }: { id: string }) => parents.get(id) !== undefined;
    for (const part of [...sorted.filter((each) => !isFine(each)), ...sorted.filter(isFine)]) {
      const candidates = own.filter(({ name }) => name === parents.get(part.id));
      for (const instanceMask of instanceMasks(part)) {
        const [home] = candidates
          .map((entry) => ({ entry, shared: intersectionArea(entry.mask, instanceMask) }))
          .sort((a, b) => b.shared - a.shared);
        own.push(
          add({
            level: isFine(part) ? 2 : 1,
            name: part.id,
            mask: instanceMask,
            flags: part.flags ?? [],
            parent: home?.entry ?? object,
            instance,
            isDerived: false,
          }),
        );
      }
    }
  }
  const all = levels.flat();
  all.forEach((entry, index) => {
    entry.id = index;
  });
  return all;
}

export async function* write(
  dataset: Dataset,
  _options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const { schema } = dataset;
  const names = [...new Set([...schema.classes, ...schema.parts].map(({ id }) => id))];
  const numbers = new Map(names.map((name, index) => [name, index + 1]));
  yield schemaFile(schema);
  yield { path: 'objectnames.txt', bytes: () => new TextEncoder().encode(`${names.join('\n')}\n`) };
  for await (const image of dataset.images()) {
    const stem = stemOf(image.name);
    const folder = `images/ADE/${FOLDERS[image.split] ?? image.split}`;
    const path = `${folder}/${stem}`;
    const entries = entriesOf(image, schema);
    yield jpegFile(`${path}.jpg`, image, pictures);
    yield { path: `${path}.json`, bytes: () => annotationFile(image, entries, numbers, stem, folder) };
    for (const level of [0, 1, 2] as const) {
      const own = entries.filter((entry) => entry.level === level);
      if (level > 0 && own.length === 0) continue;
      const suffix = level === 0 ? '_seg' : `_parts_${level}`;
      yield { path: `${path}${suffix}.png`, bytes: () => levelMap(image, own, numbers) };
    }
    for (const { id, mask } of entries)
      yield { path: instancePath(folder, stem, id), bytes: () => encodeMaskPng(mask, 255) };
  }
}

const instanceName = (stem: string, id: number): string =>
  `${stem}/instance_${String(id).padStart(3, '0')}_${stem}.png`;
const instancePath = (folder: string, stem: string, id: number): string =>
  `${folder}/${instanceName(stem, id)}`;

/** Red and green have the number of the name, blue that of the object within the map. */
function levelMap(
  { width, height }: DatasetImage,
  entries: readonly Entry[],
  numbers: ReadonlyMap<string, number>,
): Uint8Array {
  const layers = entries.map(({ name, mask }, index) => {
    const number = numbers.get(name) ?? 0;
    const red = Math.floor(number / 256) * 10;
    return { mask, value: red + 256 * (number % 256) + 65_536 * Math.min(MAX_OBJECTS, index + 1) };
  });
  // The first object of an image is its main one, and lies on top.
  return encodeLabelPng(entries[0]?.level === 0 ? layers.reverse() : layers, width, height, 'rgb');
}

function annotationFile(
  image: DatasetImage,
  entries: readonly Entry[],
  numbers: ReadonlyMap<string, number>,
  stem: string,
  folder: string,
): Uint8Array {
  const object = entries.map((entry) => {
    const { id, level, name, mask, flags, parent } = entry;
    const children = entries.filter((each) => each.parent === entry).map((each) => each.id);
    const isOccluded = flags.includes('occluded');
    const attributes = flags.filter((flag) => flag !== 'occluded');
    return {
      id,
      name,
      name_ndx: numbers.get(name) ?? 0,
      hypernym: [],
      raw_name: name,
      attributes,
      depth_ordering_rank: id + 1,
      occluded: isOccluded ? 'yes' : 'no',
      crop: isOccluded ? '1' : '0',
      parts: { hasparts: children, ispartof: parent?.id ?? [], part_level: level },
      instance_mask: instanceName(stem, id),
      polygon: boxPolygon(mask),
      saved_date: '',
      instance: entry.instance,
      ...(entry.isDerived && { derived: true }),
    };
  });
  const annotation = {
    filename: `${stem}.jpg`,
    folder,
    imsize: [image.height, image.width, 3],
    source: { folder: '', filename: image.name, origin: '' },
    scene: image.className === null ? [] : [image.className],
    object,
    tessera: { name: image.name, split: image.split, ...toFacts(image) },
  };
  return new TextEncoder().encode(`${JSON.stringify({ annotation })}\n`);
}

/** Loaders expect one; the mask is in its own file. */
function boxPolygon(mask: Mask) {
  if (isEmpty(mask)) return { x: [], y: [] };
  const [x, y, width, height] = boundingBox(mask) as [number, number, number, number];
  return { x: [x, x + width, x + width, x], y: [y, y, y + height, y + height] };
}
