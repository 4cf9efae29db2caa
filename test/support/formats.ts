import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import type { Dataset, DatasetImage, MaskLabel, ObjectLabel } from '@/lib/core/formats/dataset';
import type { Format, Pictures, SourceImage, SourceTree } from '@/lib/core/formats/format';
import { commonOptions, readOptions } from '@/lib/core/formats/options';
import { prepareDataset } from '@/lib/core/formats/prepare';
import { area, type Mask } from '@/lib/core/mask';
import { partsOfClass } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene, type Scene, type ScenePreset } from '@/lib/demo/scenes';

export interface SceneDatasetOptions {
  width?: number;
  height?: number;
  /** Classes take turns; all of the preset when left out. */
  classNames?: readonly string[];
  /** Images go to the splits by turns of a whole round of classes, so that each split has each class. */
  splits?: readonly string[];
  /** Last word about an image. */
  change?: (image: DatasetImage, index: number) => DatasetImage;
}

const made = { source: 'generator', confidence: 1 } as const;

/** Bytes of the pictures that scenes were rendered to, by their sha256. */
const rendered = new Map<string, Buffer>();

/** A small dataset with known truth: generated scenes of a preset. */
export async function sceneDataset(
  preset: ScenePreset,
  count: number,
  options: SceneDatasetOptions = {},
): Promise<Dataset> {
  const schema = schemaPreset(preset);
  if (!schema) throw new Error(`no preset ${preset}`);
  const { width = 96, height = 72, splits = ['train', 'val', 'test'] } = options;
  const classNames = options.classNames ?? schema.classes.map(({ id }) => id);
  const images: DatasetImage[] = [];
  for (let index = 0; index < count; index++) {
    const className = classNames[index % classNames.length] as string;
    const scene = generateScene({ seed: index + 1, preset, className, width, height, occlusion: 0.2 });
    const bytes = await renderScene(scene, { format: 'jpeg', quality: 90 });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    rendered.set(sha256, bytes);
    const split = splits[Math.floor(index / classNames.length) % splits.length] as string;
    const image = imageOf(schema, scene, index, split, sha256);
    images.push(options.change?.(image, index) ?? image);
  }
  return datasetOf(schema, images, splits);
}

/** A dataset of given images. */
export function datasetOf(
  schema: DatasetSchema,
  images: readonly DatasetImage[],
  splits: readonly string[] = ['train', 'val', 'test'],
): Dataset {
  return {
    name: 'Generated',
    hash: 'f'.repeat(64),
    schema,
    splits,
    count: images.length,
    licence: 'CC0-1.0',
    async *images() {
      yield* images;
    },
  };
}

function imageOf(
  schema: DatasetSchema,
  scene: Scene,
  index: number,
  split: string,
  sha256: string,
): DatasetImage {
  const { className, width, height } = scene;
  const wnid = scene.wnid ?? null;
  const isStreet = scene.instances !== undefined;
  const number = String(index + 1).padStart(6, '0');
  const present = Object.entries(scene.attributes).flatMap(([id, is]) => (is ? [id] : []));
  return {
    name: isStreet
      ? `aachen_${number}_000019.png`
      : wnid
        ? `${wnid}_${index + 1}.JPEG`
        : `2008_${number}.jpg`,
    className,
    wnid,
    groupKey: isStreet ? 'aachen' : wnid,
    columns: {},
    split,
    width,
    height,
    picture: { sha256, mediaType: 'image/jpeg' },
    attributes: schema.attributes.length > 0 ? { ...made, present: [...present, ...scene.colours] } : null,
    attributeMasks: labels(scene.attributeMasks),
    objects: objectsOf(schema, scene),
    hasMasks: true,
  };
}

function objectsOf(schema: DatasetSchema, scene: Scene): ObjectLabel[] {
  const things = scene.instances ?? [
    { className: scene.className, mask: scene.objectMask, partMasks: scene.partMasks },
  ];
  const main = (thing: { className: string; mask: Mask }) =>
    (thing.className === scene.className ? 1e9 : 0) + area(thing.mask);
  return [...things]
    .sort((a, b) => main(b) - main(a))
    .map(({ className, mask, partMasks }, index) => ({
      className,
      instance: index + 1,
      outline: { ...made, mask },
      parts: labels(partMasks),
      absent: partsOfClass(schema, className).flatMap(({ id }) => (partMasks[id] ? [] : [id])),
    }));
}

const labels = (masks: Readonly<Record<string, Mask>>): MaskLabel[] =>
  Object.entries(masks).map(([id, mask]) => ({ ...made, id, mask }));

/** The pictures of `sceneDataset`, windows included. */
export const scenePictures: Pictures = {
  async readStored(image) {
    if (image.picture.window) throw new Error('a window has no stored bytes');
    return rendered.get(image.picture.sha256) as Buffer;
  },
  async encode(image, { format, quality = 90, size }) {
    const pixels = await windowOf(image);
    const sized = size ? pixels.resize(size.width, size.height, { fit: 'fill' }) : pixels;
    return format === 'png' ? sized.png().toBuffer() : sized.jpeg({ quality }).toBuffer();
  },
};

async function windowOf({ picture }: DatasetImage): Promise<Sharp> {
  const bytes = rendered.get(picture.sha256) as Buffer;
  const { window } = picture;
  if (!window) return sharp(bytes);
  const { width, height } = await sharp(bytes).metadata();
  const left = Math.max(0, -window.x);
  const top = Math.max(0, -window.y);
  const right = Math.max(0, window.x + window.width - width);
  const bottom = Math.max(0, window.y + window.height - height);
  const padded = await sharp(bytes).extend({ left, top, right, bottom, background: '#000000' }).toBuffer();
  return sharp(padded).extract({
    left: window.x + left,
    top: window.y + top,
    width: window.width,
    height: window.height,
  });
}

const encoder = new TextEncoder();

/** Every file of an export; folders end in a slash and are empty. Refusals throw, as they stop an export. */
export async function written(
  format: Format,
  dataset: Dataset,
  given: Record<string, unknown> = {},
): Promise<Map<string, Uint8Array>> {
  const options = readOptions([...commonOptions, ...format.options], given);
  const prepared = await prepareDataset(dataset, options);
  const { refusals } = await format.check(prepared, options);
  if (refusals.length > 0) throw new Error(refusals.map(({ what }) => what).join('; '));
  const files = new Map<string, Uint8Array>();
  for await (const file of format.write(prepared, options, scenePictures)) {
    if (files.has(file.path)) throw new Error(`${file.path} is written twice`);
    if (file.path.endsWith('/')) files.set(file.path, new Uint8Array());
    else if (file.bytes) files.set(file.path, await file.bytes());
    else if (file.chunks) files.set(file.path, await gathered(file.chunks()));
    else throw new Error(`${file.path} has no content`);
  }
  return files;
}

async function gathered(chunks: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const chunk of chunks) pieces.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
  return Buffer.concat(pieces);
}

/** Written files as a reader gets them: without the folders. */
export function treeOf(files: ReadonlyMap<string, Uint8Array>): SourceTree {
  return {
    paths: [...files.keys()].filter((path) => !path.endsWith('/')),
    async bytes(path) {
      const bytes = files.get(path);
      if (!bytes) throw new Error(`there is no ${path}`);
      return bytes;
    },
  };
}

/** All images that a format's reader finds in written files. */
export async function readBack(
  format: Format,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<{ schema: DatasetSchema; images: SourceImage[]; notes: readonly string[] }> {
  if (!format.reader) throw new Error(`${format.id} has no reader`);
  const source = await format.reader.read(treeOf(files));
  const images: SourceImage[] = [];
  for await (const image of source.images()) images.push(image);
  return { schema: source.schema, images, notes: source.notes };
}
