import { encodeCounts } from '@/lib/core/mask';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { jsonArray } from '../general/json-stream';
import { type LabelTable, labelTable } from '../general/label-table';
import { pictureFile } from '../general/picture-file';
import { schemaFile } from '../general/sidecar';
import { thingsOf } from '../general/things';
import { fileNameOf, stemOf } from '../names';
import { annotationsPath, imagePath } from './paths';

/** Datumaro's number for "image". */
const MEDIA_TYPE = 2;

export async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  yield schemaFile(dataset.schema);
  for (const split of dataset.splits)
    yield { path: annotationsPath(split), chunks: () => document(dataset, split, table) };
  for await (const image of dataset.images())
    yield pictureFile(imagePath(image.split, fileNameOf(image)), image, pictures);
}

async function* document(dataset: Dataset, split: string, table: LabelTable) {
  const labels = table.labels.map(({ name, parent }) => ({ name, parent, attributes: [] }));
  const categories = { label: { labels, label_groups: [], attributes: [] } };
  const infos = { name: dataset.name, version: dataset.hash, licence: dataset.licence };
  yield `{"dm_format_version":"1.0","media_type":${MEDIA_TYPE},"infos":${JSON.stringify(infos)},\n`;
  yield `"categories":${JSON.stringify(categories)},\n"items":`;
  yield* jsonArray(items(dataset, split, table));
  yield '}\n';
}

async function* items(dataset: Dataset, split: string, table: LabelTable) {
  const zOrders = new Map(dataset.schema.parts.map(({ id, zOrder }) => [id, zOrder]));
  for await (const image of dataset.images()) {
    if (image.split !== split) continue;
    const { width, height } = image;
    yield {
      id: stemOf(fileNameOf(image)),
      annotations: annotationsOf(image, table, zOrders),
      attr: { tessera: factsOf(image) },
      image: { path: fileNameOf(image), size: [height, width] },
    };
  }
}

function annotationsOf(image: DatasetImage, table: LabelTable, zOrders: ReadonlyMap<string, number>) {
  const isKnown = table.labels.some(({ kind, id }) => kind === 'object' && id === image.className);
  const whole =
    image.className !== null && isKnown
      ? [{ kind: 'object' as const, id: image.className }].map((label) => ({
          id: 0,
          type: 'label',
          attributes: {},
          group: 0,
          label_id: table.indexOf(label),
        }))
      : [];
  const masks = thingsOf(image).map((thing, index) => ({
    id: index + 1,
    type: 'mask',
    attributes: { source: thing.source, confidence: thing.confidence },
    group: thing.instance,
    label_id: table.indexOf(thing),
    z_order: thing.kind === 'part' ? (zOrders.get(thing.id) ?? 0) : 0,
    rle: { counts: encodeCounts(thing.mask), size: [thing.mask.height, thing.mask.width] },
  }));
  return [...whole, ...masks];
}
