import { boundingBox, isEmpty } from '@/lib/core/mask';
import { toBase64 } from '../codecs/base64';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { type LabelTable, labelTable } from '../general/label-table';
import { cropped, maskPng } from '../general/mask-png';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { type Thing, thingsOf } from '../general/things';
import { fileNameOf, stemOf } from '../names';
import { imagePath, labelPath } from './paths';

/** The LabelMe whose files these are like. */
const LABELME_VERSION = '5.5.0';

const encoder = new TextEncoder();

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  const attributes = dataset.schema.attributes.map(({ id }) => id);
  yield schemaFile(dataset.schema);
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield {
      path: labelPath(image.split, stemOf(name)),
      bytes: () => encoder.encode(`${JSON.stringify(documentOf(image, table, attributes), null, 2)}\n`),
    };
  }
}

function documentOf(image: DatasetImage, table: LabelTable, attributes: readonly string[]) {
  const present = image.attributes?.present;
  return {
    version: LABELME_VERSION,
    flags: Object.fromEntries(present ? attributes.map((id) => [id, present.includes(id)]) : []),
    shapes: thingsOf(image)
      .filter(({ mask }) => !isEmpty(mask))
      .map((thing) => shapeOf(thing, table)),
    imagePath: fileNameOf(image),
    imageData: null,
    imageHeight: image.height,
    imageWidth: image.width,
    tessera: factsOf(image),
  };
}

function shapeOf(thing: Thing, table: LabelTable) {
  const box = boundingBox(thing.mask);
  const [x, y, width, height] = box;
  return {
    label: table.labels[table.indexOf(thing)]?.name,
    // First and last pixel of the crop, both within it.
    points: [
      [x, y],
      [x + width - 1, y + height - 1],
    ],
    group_id: thing.instance === 0 ? null : thing.instance,
    description: '',
    shape_type: 'mask',
    flags: {},
    mask: toBase64(maskPng(cropped(thing.mask, box), 1)),
  };
}
