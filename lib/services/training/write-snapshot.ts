import { createHash, type Hash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { conflict, invalid } from '@/lib/core/errors';
import { paintMap } from '@/lib/core/formats/codecs/paint';
import type { Dataset, DatasetImage, MaskLabel, ObjectLabel, Provenance } from '@/lib/core/formats/dataset';
import type { Pictures } from '@/lib/core/formats/format';
import type { Mask } from '@/lib/core/mask';
import { type View, viewLabels, viewPicture } from '../inference/preprocess';

const SNAPSHOT_SCHEMA = 'tessera-snapshot/1';
const UNLABELLED = 255;
const SPLITS = ['train', 'val', 'test'];
const NO_SPLIT = 255;
/** Pictures decoded at the same time: decoding happens on other threads. */
const AHEAD = 8;

export interface SnapshotChoice extends ChannelChoice {
  view: View;
}

interface Snapshot {
  folder: string;
  /** As the spec names it: "sha256:…". */
  hash: string;
  classes: string[];
  parts: Channels['parts'];
  counts: Record<string, number>;
}

interface Work {
  dataset: Dataset;
  pictures: Pictures;
  choice: SnapshotChoice;
  /** The folder that gets it; appears whole or not at all. */
  folder: string;
  signal: AbortSignal;
  progress(done: number, total: number): Promise<void>;
}

/**
 * What the trainer maps into memory: pixels, part masks, labels, how sure they are, and where each image belongs. Images
 * without a class are left out. The same version and choice give the same bytes.
 */
export async function writeSnapshot(work: Work): Promise<Snapshot> {
  const { dataset, choice, folder } = work;
  const channels = await channelsOf(dataset, choice);
  if (channels.classes.length < 2)
    throw conflict('A model tells classes apart: freeze a version with at least two of them.');
  const part = `${folder}.${randomUUID()}.part`;
  await mkdir(part, { recursive: true });
  try {
    const written = await fill(part, work, channels);
    // Two runs may begin at once: each writes its own, and the one that is first stays.
    await rename(part, folder).catch(async (error) => {
      if (!existsSync(folder)) throw error;
      await rm(part, { recursive: true });
    });
    return { folder, ...written };
  } catch (error) {
    // Of a full disk, what is in nobody's use must not stay.
    await rm(part, { recursive: true, force: true });
    throw error;
  }
}

async function fill(part: string, work: Work, channels: Channels): Promise<Omit<Snapshot, 'folder'>> {
  const { dataset, choice, signal } = work;
  const files = Object.fromEntries(
    await Promise.all(
      (['images.u8', 'masks.u8'] as const).map(async (name) => [
        name,
        await HashedFile.open(path.join(part, name)),
      ]),
    ),
  ) as Record<'images.u8' | 'masks.u8', HashedFile>;
  const rows: { label: number; weight: number; split: number; id: string }[] = [];
  try {
    for await (const { image, pixels, masks } of viewed(work, channels)) {
      signal.throwIfAborted();
      await files['images.u8'].write(pixels);
      await files['masks.u8'].write(masks);
      const split = SPLITS.indexOf(image.split);
      rows.push({
        label: channels.classOf(image) as number,
        weight: weightOf(image),
        split: split === -1 ? NO_SPLIT : split,
        id: image.name,
      });
      await work.progress(rows.length, dataset.count);
    }
  } finally {
    for (const file of Object.values(files)) await file.close();
  }
  const small = {
    'labels.u16': Buffer.from(Uint16Array.from(rows, ({ label }) => label).buffer),
    'weights.f32': Buffer.from(Float32Array.from(rows, ({ weight }) => weight).buffer),
    'splits.u8': Buffer.from(Uint8Array.from(rows, ({ split }) => split)),
    'ids.json': Buffer.from(JSON.stringify(rows.map(({ id }) => id))),
  };
  for (const [name, bytes] of Object.entries(small)) await writeFile(path.join(part, name), bytes);
  const counts = Object.fromEntries(
    SPLITS.map((name, index) => [name, rows.filter(({ split }) => split === index).length]),
  );
  const manifest = JSON.stringify(
    {
      schema: SNAPSHOT_SCHEMA,
      version: dataset.hash,
      count: rows.length,
      width: choice.view.side,
      height: choice.view.side,
      view: choice.view,
      classes: channels.classes,
      parts: channels.parts,
      counts,
      files: {
        ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, file.facts()])),
        ...Object.fromEntries(
          Object.entries(small).map(([name, bytes]) => [
            name,
            { bytes: bytes.length, sha256: sha256(bytes) },
          ]),
        ),
      },
    },
    null,
    2,
  );
  await writeFile(path.join(part, 'manifest.json'), manifest);
  return {
    hash: `sha256:${sha256(Buffer.from(manifest))}`,
    classes: channels.classes,
    parts: channels.parts,
    counts,
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Viewed {
  image: DatasetImage;
  pixels: Uint8Array;
  masks: Uint8Array;
}

async function* viewed({ dataset, pictures, choice }: Work, channels: Channels): AsyncGenerator<Viewed> {
  const look = async (image: DatasetImage): Promise<Viewed> => ({
    image,
    masks: masksOf(image, channels, choice.view),
    pixels: await viewPicture(await pictures.readStored(image), choice.view),
  });
  const queue: Promise<Viewed>[] = [];
  for await (const image of dataset.images()) {
    if (channels.classOf(image) === null) continue;
    const looking = look(image);
    // It is awaited in its turn; until then its failure must not count as unheard.
    looking.catch(() => {});
    queue.push(looking);
    if (queue.length >= AHEAD) yield await (queue.shift() as Promise<Viewed>);
  }
  for (const looking of queue) yield await looking;
}

/**
 * Values of the channels; all 255 where nobody looked for a part, so that only the class is learnt. An outline of the
 * object says nothing about its parts: without this an object that waits for them would be taught as background. The
 * pixels of crowd and ignore regions are 255 where no part was drawn. Stuff regions are background.
 */
function masksOf(image: DatasetImage, channels: Channels, view: View): Uint8Array {
  const { width, height } = image;
  const isLabelled =
    image.hasMasks &&
    (image.attributeMasks.length > 0 ||
      image.objects.some(({ parts, absent }) => parts.length + absent.length > 0));
  if (!isLabelled) return new Uint8Array(view.side * view.side).fill(UNLABELLED);
  const parts = labelsOf(image)
    .flatMap((label) => {
      const value = channels.valueOf(label, label.className);
      return value === null ? [] : [{ mask: label.mask, value, ...channels.heightOf(label.id) }];
    })
    .sort((a, b) => a.z - b.z || a.depth - b.depth || a.value - b.value);
  // Below the parts: a part that was drawn inside a crowd region is known.
  const layers = [...ignoredIn(image).map((mask) => ({ mask, value: UNLABELLED })), ...parts];
  return viewLabels(paintMap(layers, width, height, 8), width, height, view);
}

/** Whether an object is a crowd region or, without a class, a region to ignore. */
const isCrowd = ({ outline }: ObjectLabel): boolean => outline?.flags?.includes('crowd') ?? false;

/** Regions about which a model learns nothing: crowd regions, regions to ignore and parts that are flagged as crowd. */
const ignoredIn = (image: DatasetImage): Mask[] => [
  ...image.attributeMasks.filter(isCrowdLabel).map(({ mask }) => mask),
  ...image.objects.flatMap((object) => [
    ...(isCrowd(object) && object.outline ? [object.outline.mask] : []),
    ...object.parts.filter((part) => isCrowd(object) || isCrowdLabel(part)).map(({ mask }) => mask),
  ]),
];

const isCrowdLabel = ({ flags }: MaskLabel): boolean => flags?.includes('crowd') ?? false;

/** The least sure of an image's labels: a model should not lean on it more than on that. */
function weightOf(image: DatasetImage): number {
  const labels: Provenance[] = [...image.attributeMasks, ...image.objects.flatMap(({ parts }) => parts)];
  return labels.reduce((least, { confidence }) => Math.min(least, confidence), 1);
}

/** A file that is hashed as it is written. */
class HashedFile {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  private constructor(private readonly handle: FileHandle) {}

  static async open(file: string): Promise<HashedFile> {
    return new HashedFile(await open(file, 'w'));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.handle.appendFile(bytes);
  }

  facts(): { bytes: number; sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** A mask's value 255 says "not labelled"; 0 is background. */
const MAX_CHANNELS = 254;

/** What a model tells apart and where: classes sorted by name, and one mask channel for each part of each class. */
interface Channels {
  classes: string[];
  /** Channel k is the value k + 1 of a mask. */
  parts: { id: string; name: string; class: number }[];
  /** How high a part lies: where parts overlap, the highest keeps the pixel. A sub-part always lies above its parent. */
  heightOf(id: string): { z: number; depth: number };
  /** The class of an image as the model knows it. */
  classOf(image: DatasetImage): number | null;
  /** The value of a label in the mask of an image. */
  valueOf(label: MaskLabel, className: string): number | null;
}

interface ChannelChoice {
  /** `superclass`: human and vehicle instead of person, rider, car, truck and bus. */
  classes: 'class' | 'superclass';
}

/**
 * The channels of a version, from what occurs in it. A part that several classes share becomes a channel of each, and so
 * does a localised attribute: a model is to learn the wheel of a truck, not wheels as such.
 */
async function channelsOf(dataset: Dataset, choice: ChannelChoice): Promise<Channels> {
  const { schema } = dataset;
  const superclass = new Map(schema.classes.map((entry) => [entry.id, entry.superclass ?? entry.id]));
  const named = (className: string) =>
    choice.classes === 'superclass' ? (superclass.get(className) ?? className) : className;
  const classNames = new Set<string>();
  const pairs = new Set<string>();
  for await (const image of dataset.images()) {
    if (image.className === null) continue;
    classNames.add(named(image.className));
    for (const { id, className } of labelsOf(image)) pairs.add(keyOf(id, named(className)));
  }
  const classes = [...classNames].sort();
  const entries = [...schema.parts, ...schema.attributes];
  const parts = classes.flatMap((className, index) =>
    entries
      .filter(({ id }) => pairs.has(keyOf(id, className)))
      .map(({ id, name }) => ({ id, name: `${className} ${name}`, class: index })),
  );
  if (parts.length > MAX_CHANNELS)
    throw invalid(`${parts.length} parts of classes are more than the ${MAX_CHANNELS} a mask can hold.`);
  const values = new Map(
    parts.map(({ id, class: index }, at) => [keyOf(id, classes[index] as string), at + 1]),
  );
  const zOrders = new Map(schema.parts.map(({ id, zOrder }) => [id, zOrder]));
  const heights = new Map(
    schema.parts.map(({ id, zOrder, parent }) => {
      const below = parent === undefined ? zOrder : (zOrders.get(parent) ?? zOrder);
      return [id, { z: Math.max(zOrder, below), depth: Number(parent !== undefined) }];
    }),
  );
  return {
    classes,
    parts,
    heightOf: (id) => heights.get(id) ?? { z: 0, depth: 0 },
    classOf: ({ className }) => (className === null ? null : classes.indexOf(named(className))),
    valueOf: ({ id }, className) => values.get(keyOf(id, named(className))) ?? null,
  };
}

/** Every mask of an image with the class of the object it belongs to, without crowd regions. */
function labelsOf(image: DatasetImage): (MaskLabel & { className: string })[] {
  const own = image.className ?? '';
  return [
    ...image.attributeMasks
      .filter((label) => !isCrowdLabel(label))
      .map((label) => ({ ...label, className: own })),
    ...image.objects
      .filter((object) => !isCrowd(object))
      .flatMap(({ className, parts }) =>
        parts
          .filter((label) => !isCrowdLabel(label))
          .map((label) => ({ ...label, className: className ?? own })),
      ),
  ];
}

const keyOf = (id: string, className: string) => `${id}\n${className}`;
