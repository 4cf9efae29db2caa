import type { Dataset, DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import type { Check, Format, SourceImage, SourceTree } from '@/lib/core/formats/format';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { prepareDataset } from '@/lib/core/formats/prepare';
import {
  difference,
  emptyMask,
  encodeCounts,
  isEmpty,
  type Mask,
  rasterizePolygons,
  union,
} from '@/lib/core/mask';
import type { ScenePreset } from '@/lib/demo/scenes';
import { sceneDataset, treeOf } from '@/test/support/formats';

/** What somebody is told before an export with these options. */
export async function checked(
  format: Format,
  dataset: Dataset,
  given: Record<string, unknown> = {},
): Promise<Check & { refused: string; lost: string }> {
  const options = readOptions([...commonOptions, ...format.options], given);
  const check = await format.check(await prepareDataset(dataset, options), options);
  return {
    ...check,
    refused: check.refusals.map(({ what, examples }) => `${what} (${examples.join(', ')})`).join('\n'),
    lost: check.losses.join('\n'),
  };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export const textOf = (files: ReadonlyMap<string, Uint8Array>, path: string): string => {
  const bytes = files.get(path);
  if (!bytes) throw new Error(`there is no ${path}; there are ${[...files.keys()].join(', ')}`);
  return decoder.decode(bytes);
};

// biome-ignore lint/suspicious/noExplicitAny: JSON of foreign shapes, looked at here and there.
export const jsonOf = (files: ReadonlyMap<string, Uint8Array>, path: string): any =>
  JSON.parse(textOf(files, path));

/** A picture of 4 × 3 pixels as far as its header goes, which is all that readers of labels look at. */
export const tinyPng = Uint8Array.from([
  137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 4, 0, 0, 0, 3, 8, 0, 0, 0, 0, 0, 0,
  0, 0,
]);

/** A tree of files that somebody made by hand; objects become JSON. */
export function handmade(files: Readonly<Record<string, unknown>>): SourceTree {
  return treeOf(
    new Map(
      Object.entries(files).map(([path, content]) => [
        path,
        content instanceof Uint8Array
          ? content
          : encoder.encode(typeof content === 'string' ? content : JSON.stringify(content)),
      ]),
    ),
  );
}

/** Pictures are drawn once per test file: drawing takes longer than writing. */
function once(make: () => Promise<Dataset>): () => Promise<Dataset> {
  let made: Promise<Dataset> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Each class in each of three splits. */
const sets: readonly [preset: ScenePreset, count: number, classNames?: string[]][] = [
  ['part-imagenet', 33],
  ['cityscapes-parts', 15],
  ['rival10', 30],
  ['pascal-part', 15, ['aeroplane', 'bird', 'car', 'cat', 'dog']],
];
const sceneSets = new Map<ScenePreset, Promise<Dataset>>();

/** A dataset that the format accepts: part layouts require their own classes and parts. */
export async function datasetFor(format: Format): Promise<Dataset> {
  for (const [preset, count, classNames] of sets) {
    const dataset =
      sceneSets.get(preset) ?? sceneDataset(preset, count, { classNames, width: 80, height: 60 });
    sceneSets.set(preset, dataset);
    const { refusals } = await format.check(await dataset, readOptions(format.options, {}));
    if (refusals.length === 0) return dataset;
  }
  throw new Error(`No generated dataset fits ${format.id}: add one here.`);
}

/** A ring and a dot: a hole and two pieces, which polygons alone cannot hold. */
export function ringAndDot(height: number, width: number): Mask {
  const square = (x: number, y: number, side: number) =>
    rasterizePolygons([[x, y, x + side, y, x + side, y + side, x, y + side]], height, width);
  return union(difference(square(4, 4, 20), square(9, 9, 8)), square(40, 30, 3));
}

const odd = (image: DatasetImage, index: number): DatasetImage => {
  const [first] = image.objects;
  if (index !== 1 || !first) return image;
  const mask = ringAndDot(image.height, image.width);
  return {
    ...image,
    columns: { 'taken by': 'Ann & "Bob" <x>', camera: 'π' },
    objects: [{ ...first, parts: first.parts.map((part, at) => (at === 0 ? { ...part, mask } : part)) }],
  };
};

/** One object per picture, with parts of which one has a hole and two pieces. */
export const partDataset = once(() =>
  sceneDataset('part-imagenet', 6, { classNames: ['Quadruped', 'Car'], change: odd }),
);

/** Attributes, some of them with masks; one image of which only the class may be used. */
export const attributeDataset = once(() =>
  sceneDataset('rival10', 4, {
    classNames: ['dog', 'car'],
    splits: ['train', 'test'],
    change: (image, index) =>
      index === 3 ? { ...image, hasMasks: false, objects: [], attributeMasks: [] } : image,
  }),
);

/** Several objects in a picture. */
export const streetDataset = once(() => sceneDataset('cityscapes-parts', 3, { splits: ['train', 'val'] }));

const counts = ({ height, width, ...mask }: Mask) =>
  `${height}×${width} ${encodeCounts({ height, width, ...mask })}`;

const masks = (labels: readonly { id: string; mask: Mask }[]) =>
  labels.map(({ id, mask }) => `${id} ${counts(mask)}`).sort();

type Labelled = Omit<DatasetImage, 'picture' | 'split' | 'width' | 'height'> & {
  split: string | null;
  width: number | null;
  height: number | null;
};

/** All that labels say, without where they come from, in an order that does not depend on the format's. */
export function labelsOf(image: Labelled) {
  return {
    className: image.className,
    wnid: image.wnid,
    groupKey: image.groupKey,
    columns: image.columns,
    split: image.split,
    size: [image.width, image.height],
    attributes: image.attributes ? [...image.attributes.present].sort() : null,
    attributeMasks: masks(image.attributeMasks),
    hasMasks: image.hasMasks,
    objects: image.objects.map(({ className, instance, outline, parts, absent }) => ({
      className,
      instance,
      outline: outline && counts(outline.mask),
      parts: masks(parts),
      absent: [...absent].sort(),
    })),
  };
}

/** Labels by the name of the image, without its ending. */
const byName = (images: readonly Labelled[]) =>
  Object.fromEntries(images.map((image) => [image.name.replace(/\.[^.]+$/, ''), labelsOf(image)]));

export async function labelsOfDataset(dataset: Dataset) {
  const images: DatasetImage[] = [];
  for await (const image of dataset.images()) images.push(image);
  return byName(images);
}

export const labelsOfSource = (images: readonly SourceImage[]) => byName(images);

/** Every image that a reader gives, and what it tells about the rest. */
export async function readAllImages(format: Format, tree: SourceTree) {
  const source = await format.reader?.read(tree);
  const images = [];
  for await (const image of source?.images() ?? []) images.push(image);
  return { images, notes: (source?.notes ?? []).join('\n') };
}

export async function imagesOf(dataset: Dataset): Promise<DatasetImage[]> {
  const images: DatasetImage[] = [];
  for await (const image of dataset.images()) images.push(image);
  return images;
}

/** Parts as a map with one label a pixel keeps them: from the top down, each without what lies above. */
export function visibleParts(dataset: Dataset, image: DatasetImage): Record<string, string> {
  const place = new Map(
    [...dataset.schema.parts].sort((a, b) => a.zOrder - b.zOrder).map(({ id }, index) => [id, index]),
  );
  let above = emptyMask(image.height, image.width);
  const seen: Record<string, string> = {};
  for (const object of image.objects)
    for (const { id, mask } of [...object.parts].sort(
      (a, b) => (place.get(b.id) ?? 0) - (place.get(a.id) ?? 0),
    )) {
      const rest = difference(mask, above);
      above = union(above, mask);
      if (!isEmpty(rest)) seen[`${object.className} ${object.instance} ${id}`] = encodeCounts(rest);
    }
  return seen;
}

/** The same of what was read. */
export const partsRead = (image: SourceImage): Record<string, string> =>
  Object.fromEntries(
    image.objects.flatMap(({ className, instance, parts }) =>
      parts.map(({ id, mask }) => [`${className} ${instance} ${id}`, encodeCounts(mask)]),
    ),
  );

/** By stem, which formats keep. */
export const byStem = <T extends { name: string }>(images: readonly T[]): Map<string, T> =>
  new Map(images.map((image) => [image.name.replace(/\.[^.]+$/, ''), image]));

export const outlineOf = ({ outline }: ObjectLabel): Mask => {
  if (!outline) throw new Error('no outline');
  return outline.mask;
};
