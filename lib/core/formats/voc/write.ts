import { boundingBox, isEmpty, type Mask } from '@/lib/core/mask';
import type { LabelFlag } from '@/lib/core/schema/types';
import { encodeLabelPng } from '../codecs/label-png';
import { escapeXml } from '../codecs/xml';
import { type Dataset, type DatasetImage, instanceMasks, type ObjectLabel } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { unionOfParts } from '../shared/annotations';
import { toFacts } from '../shared/image-record';
import { schemaFile } from '../shared/vocabulary';
import { fileNameOf, jpegFile, stemOf } from '../shared/write-files';

const imagePath = (stem: string): string => `JPEGImages/${stem}.jpg`;

const xmlPath = (stem: string): string => `Annotations/${stem}.xml`;

const classMaskPath = (stem: string): string => `SegmentationClass/${stem}.png`;

const objectMaskPath = (stem: string): string => `SegmentationObject/${stem}.png`;

/** Loaders of segmentations open a map for every image in their list. */
const lists: readonly { folder: string; isListed(image: DatasetImage): boolean }[] = [
  { folder: 'Main', isListed: () => true },
  { folder: 'Segmentation', isListed: hasMap },
];

/** Whether the image has the two maps. */
function hasMap(image: DatasetImage): boolean {
  return drawnObjects(image).length > 0 || ignoredRegions(image).length > 0;
}

/** Loaders know "trainval" besides the splits. */
const listedSplits = (splits: readonly string[]): { name: string; splits: readonly string[] }[] => [
  ...splits.map((name) => ({ name, splits: [name] })),
  ...(splits.includes('train') && splits.includes('val') && !splits.includes('trainval')
    ? [{ name: 'trainval', splits: ['train', 'val'] }]
    : []),
];

/** Names and colours of the classes, as CVAT and Datumaro write them beside VOC. */
const LABELMAP_PATH = 'labelmap.txt';

/** 0 is background and 255 the border that counts as nothing. */
export const MAX_OBJECTS = 254;

const VOID = 255;

/** Corners are pixels counted from 1, both within the box. */
function box(mask: Mask, indent: string): string {
  const [x, y, width, height] = boundingBox(mask);
  return (
    `${indent}<bndbox>\n${indent}\t<xmin>${x + 1}</xmin>\n${indent}\t<ymin>${y + 1}</ymin>\n` +
    `${indent}\t<xmax>${x + width}</xmax>\n${indent}\t<ymax>${y + height}</ymax>\n${indent}</bndbox>\n`
  );
}

/** An object with the mask that is written: its outline, or the union of its parts. */
export interface VocObject extends Omit<ObjectLabel, 'outline'> {
  mask: Mask;
  flags: readonly LabelFlag[];
  isFromParts: boolean;
}

/** Lists the objects with a pixel, in the order in which SegmentationObject numbers them. */
export function drawnObjects(image: DatasetImage): VocObject[] {
  if (!image.hasMasks) return [];
  return image.objects.flatMap(({ outline, ...object }) => {
    const drawn = outline && !isEmpty(outline.mask) ? outline : unionOfParts({ ...object, outline: null });
    if (!drawn || object.className === null) return [];
    return [{ ...object, mask: drawn.mask, flags: drawn.flags ?? [], isFromParts: drawn !== outline }];
  });
}

/** Regions that evaluation skips. */
const ignoredRegions = (image: DatasetImage): Mask[] =>
  image.hasMasks
    ? image.objects.flatMap(({ className, outline }) => (className === null && outline ? [outline.mask] : []))
    : [];

function annotationXml(image: DatasetImage, database: string): string {
  const drawn = drawnObjects(image);
  const bit = (value: boolean) => (value ? 1 : 0);
  const objects = drawn.map(({ className, mask, flags, parts, instance }) =>
    [
      '\t<object>\n',
      `\t\t<name>${escapeXml(className ?? '')}</name>\n\t\t<pose>Unspecified</pose>\n`,
      `\t\t<truncated>${bit(flags.includes('truncated'))}</truncated>\n`,
      `\t\t<occluded>${bit(flags.includes('occluded'))}</occluded>\n`,
      // Evaluation skips difficult objects, as it does crowd regions elsewhere.
      `\t\t<difficult>${bit(flags.includes('crowd'))}</difficult>\n`,
      `\t\t<instance>${instance}</instance>\n`,
      box(mask, '\t\t'),
      ...parts
        .flatMap((part) => instanceMasks(part).map((instance) => ({ id: part.id, mask: instance })))
        .filter((part) => !isEmpty(part.mask))
        .map(
          (part) =>
            `\t\t<part>\n\t\t\t<name>${escapeXml(part.id)}</name>\n${box(part.mask, '\t\t\t')}\t\t</part>\n`,
        ),
      '\t</object>\n',
    ].join(''),
  );
  return [
    '<annotation>\n\t<folder>JPEGImages</folder>\n',
    `\t<filename>${escapeXml(stemOf(image.name))}.jpg</filename>\n`,
    `\t<source>\n\t\t<database>${escapeXml(database)}</database>\n\t</source>\n`,
    `\t<size>\n\t\t<width>${image.width}</width>\n\t\t<height>${image.height}</height>\n\t\t<depth>3</depth>\n\t</size>\n`,
    `\t<segmented>${bit(hasMap(image))}</segmented>\n`,
    ...objects,
    `\t<tessera>${escapeXml(JSON.stringify(toFacts(image)))}</tessera>\n`,
    '</annotation>\n',
  ].join('');
}

/** VOC's colours: the bits of a number, three at a time from the lowest, become the highest bits of red, green and blue. */
function vocColour(index: number): [red: number, green: number, blue: number] {
  const colour: [number, number, number] = [0, 0, 0];
  for (let bit = 7, rest = index; rest > 0; bit--, rest >>= 3)
    for (let channel = 0; channel < 3; channel++)
      colour[channel] = (colour[channel] as number) | (((rest >> channel) & 1) << bit);
  return colour;
}

const vocPalette = (): Uint8Array =>
  Uint8Array.from({ length: 768 }, (_, i) => vocColour(Math.floor(i / 3))[i % 3] as number);

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const classes = dataset.schema.classes.map(({ id }) => id);
  yield schemaFile(dataset.schema);
  yield { path: LABELMAP_PATH, bytes: () => encoder.encode(labelmap(classes)) };
  for (const { name, splits } of listedSplits(dataset.splits))
    for (const { folder, isListed } of lists)
      yield {
        path: `ImageSets/${folder}/${name}.txt`,
        chunks: () => stems(dataset, (image) => splits.includes(image.split) && isListed(image)),
      };
  for await (const image of dataset.images()) {
    const stem = stemOf(fileNameOf(image));
    yield jpegFile(imagePath(stem), image, pictures);
    yield { path: xmlPath(stem), bytes: () => encoder.encode(annotationXml(image, dataset.name)) };
    const drawn = drawnObjects(image);
    const ignored = ignoredRegions(image).map((mask) => ({ mask, value: VOID }));
    if (!hasMap(image)) continue;
    const layers = (numberOf: (className: string | null, index: number) => number) => [
      ...ignored,
      // The first object is the one the picture is of: it lies on top.
      ...drawn.map(({ mask, className }, index) => ({ mask, value: numberOf(className, index) })).reverse(),
    ];
    yield {
      path: classMaskPath(stem),
      bytes: () =>
        map(
          image,
          layers((name) => classes.indexOf(name ?? '') + 1),
        ),
    };
    yield {
      path: objectMaskPath(stem),
      bytes: () =>
        map(
          image,
          layers((_name, index) => index + 1),
        ),
    };
  }
}

function map({ width, height }: DatasetImage, layers: { mask: Mask; value: number }[]): Uint8Array {
  return encodeLabelPng(layers, width, height, 'palette', vocPalette());
}

const labelmap = (classes: readonly string[]): string =>
  [
    '# label:color_rgb:parts:actions',
    'background:0,0,0::',
    ...classes.map((id, i) => `${id}:${vocColour(i + 1).join(',')}::`),
    '',
  ].join('\n');

async function* stems(dataset: Dataset, isListed: (image: DatasetImage) => boolean) {
  for await (const image of dataset.images()) if (isListed(image)) yield `${stemOf(fileNameOf(image))}\n`;
}
