import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { factsOf } from '../general/facts';
import { type LabelTable, labelTable } from '../general/label-table';
import { withPictures } from '../general/read-ahead';
import { recordOf } from '../general/record';
import { shardsOf } from '../general/shards';
import { schemaFile } from '../general/sidecar';
import { yamlText } from '../markup/yaml';
import { fileNameOf } from '../names';
import { columnNames, features, parquetSchema } from './columns';
import { CARD_PATH, shardPath, splitName } from './paths';

/** Rows whose pictures are in memory at once. */
const ROWS_PER_GROUP = 32;

const encoder = new TextEncoder();

export async function* write(
  dataset: Dataset,
  options: Options,
  pictures: Pictures,
): AsyncIterable<FormatFile> {
  const size = Number(options.shard);
  const counts = new Map<string, number>();
  for await (const { split } of dataset.images()) counts.set(split, (counts.get(split) ?? 0) + 1);
  yield schemaFile(dataset.schema);
  yield { path: CARD_PATH, bytes: () => encoder.encode(card(dataset, [...counts.keys()])) };
  const table = labelTable(dataset.schema);
  for await (const { split, index, images } of shardsOf(dataset, size))
    yield {
      path: shardPath(split, index, Math.ceil((counts.get(split) ?? 0) / size)),
      chunks: () => shard(images, table, dataset, pictures),
    };
}

/** Every row group leaves as soon as it is made. */
async function* shard(
  images: readonly DatasetImage[],
  table: LabelTable,
  dataset: Dataset,
  pictures: Pictures,
) {
  const bytes = new ByteWriter();
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: parquetSchema,
    statistics: false,
    kvMetadata: [{ key: 'huggingface', value: features(dataset.schema) }],
  });
  const classes = dataset.schema.classes.map(({ id }) => id);
  let rows: Record<string, unknown>[] = [];
  let left = images.length;
  for await (const { image, picture } of withPictures(images, pictures)) {
    rows.push(rowOf(image, picture, table, classes));
    left -= 1;
    if (rows.length < ROWS_PER_GROUP && left > 0) continue;
    const group = rows;
    rows = [];
    const columnData = columnNames.map((name) => ({
      name,
      data: group.map((row) => row[name]),
      // Coded pictures do not become smaller, and no two are alike: nobody need look for it.
      ...(name === 'image' ? { codec: 'UNCOMPRESSED' as const, encoding: 'PLAIN' as const } : {}),
    }));
    await parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    yield taken(bytes);
  }
  await parquet.finish();
  yield taken(bytes);
}

/** What was written since the last time; offsets go on counting. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function rowOf(image: DatasetImage, picture: Uint8Array, table: LabelTable, classes: readonly string[]) {
  const index = image.className === null ? -1 : classes.indexOf(image.className);
  const { masks } = recordOf(image, table);
  return {
    image: { bytes: picture, path: fileNameOf(image) },
    label: index < 0 ? null : BigInt(index),
    width: image.width,
    height: image.height,
    attributes: image.attributes?.present ?? null,
    masks,
    facts: JSON.stringify(factsOf(image)),
  };
}

const card = (dataset: Dataset, splits: readonly string[]): string =>
  [
    '---',
    'configs:',
    '- config_name: default',
    '  data_files:',
    ...splits.flatMap((split) => [
      `  - split: ${yamlText(splitName(split))}`,
      `    path: ${yamlText(`data/${splitName(split)}-*`)}`,
    ]),
    '---',
    `# ${dataset.name.replaceAll(/\s+/g, ' ')}`,
    '',
    `Version ${dataset.hash}, ${dataset.count} images. Licence: ${dataset.licence || 'not stated'}.`,
    '',
    'Masks are runs of COCO (`counts` with `size` as height, width); `facts` holds what is known of an image beside them.',
    '',
  ].join('\n');
