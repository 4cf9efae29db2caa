import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { type LabelTable, labelTable } from '../general/label-table';
import { withPictures } from '../general/read-ahead';
import { recordOf } from '../general/record';
import { shardsOf } from '../general/shards';
import { schemaFile } from '../general/sidecar';
import { fileNameOf, mediaTypeOf, stemOf } from '../names';
import { shardPath } from './paths';
import { tarEnd, tarMember } from './tar';

const encoder = new TextEncoder();

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const table = labelTable(dataset.schema);
  const size = Number(options.shard);
  yield schemaFile(dataset.schema);
  for await (const { split, index, images } of shardsOf(dataset, size))
    yield { path: shardPath(split, index), chunks: () => shard(images, table, dataset, pictures) };
}

/** The members of a sample stand together under one key; the class is a number by the order of the schema. */
async function* shard(
  images: readonly DatasetImage[],
  table: LabelTable,
  dataset: Dataset,
  pictures: Pictures,
) {
  const classes = dataset.schema.classes.map(({ id }) => id);
  for await (const { image, picture } of withPictures(images, pictures)) {
    const key = stemOf(fileNameOf(image));
    const ending = mediaTypeOf(image) === 'image/jpeg' ? 'jpg' : mediaTypeOf(image).replace('image/', '');
    const index = image.className === null ? -1 : classes.indexOf(image.className);
    if (index >= 0) yield* tarMember(`${key}.cls`, encoder.encode(String(index)));
    yield* tarMember(`${key}.${ending}`, picture);
    yield* tarMember(`${key}.json`, encoder.encode(JSON.stringify(recordOf(image, table))));
  }
  yield tarEnd();
}
