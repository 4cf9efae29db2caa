import type { Mask } from '@/lib/core/mask';
import { labelPng } from '../codecs/label-png';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { jpegFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { fileNameOf, stemOf } from '../names';
import { vocColour, vocPalette } from './palette';
import { classMaskPath, imagePath, LABELMAP_PATH, listPaths, objectMaskPath, xmlPath } from './paths';
import { annotationXml, drawnObjects } from './xml';

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const classes = dataset.schema.classes.map(({ id }) => id);
  yield schemaFile(dataset.schema);
  yield { path: LABELMAP_PATH, bytes: () => encoder.encode(labelmap(classes)) };
  for (const split of dataset.splits)
    for (const path of listPaths(split)) yield { path, chunks: () => stems(dataset, split) };
  for await (const image of dataset.images()) {
    const stem = stemOf(fileNameOf(image));
    yield jpegFile(imagePath(stem), image, pictures);
    yield { path: xmlPath(stem), bytes: () => encoder.encode(annotationXml(image, dataset.name)) };
    const drawn = drawnObjects(image);
    if (drawn.length === 0) continue;
    const layers = (numberOf: (className: string | null, index: number) => number) =>
      // The first object is the one the picture is of: it lies on top.
      drawn
        .map(({ outline, className }, index) => ({
          mask: outline?.mask as Mask,
          value: numberOf(className, index),
        }))
        .reverse();
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
  return labelPng(layers, width, height, 'palette', vocPalette());
}

const labelmap = (classes: readonly string[]): string =>
  [
    '# label:color_rgb:parts:actions',
    'background:0,0,0::',
    ...classes.map((id, i) => `${id}:${vocColour(i + 1).join(',')}::`),
    '',
  ].join('\n');

async function* stems(dataset: Dataset, split: string) {
  for await (const image of dataset.images())
    if (image.split === split) yield `${stemOf(fileNameOf(image))}\n`;
}
