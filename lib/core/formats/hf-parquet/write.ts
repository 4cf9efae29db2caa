import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { plain, writeYaml } from '../codecs/yaml';
import type { Dataset, DatasetImage } from '../dataset';
import type { FormatFile, Options, Pictures } from '../format';
import { toFacts, toRecord } from '../shared/image-record';
import { createLabelTable, type LabelTable, schemaFile } from '../shared/vocabulary';
import { fileNameOf, readAhead, splitIntoShards } from '../shared/write-files';

/** As the Hub names them; the split is what stands before the first number. */
const shardPath = (split: string, index: number, of: number): string =>
  `data/${splitName(split)}-${padFive(index)}-of-${padFive(of)}.parquet`;

/** The datasets library takes letters, digits, underscores and dots in names of splits: fold-1 is fold_1 there. */
export const splitName = (split: string): string => split.replaceAll(/[^\w.]/g, '_');

const padFive = (value: number): string => String(value).padStart(5, '0');

export const splitOfShard = (path: string): string | null =>
  /(?:^|\/)([^/]+?)-\d+(?:-of-\d+)?[^/]*\.parquet$/.exec(path)?.[1] ?? null;

const CARD_PATH = 'README.md';

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
  const table = createLabelTable(dataset.schema);
  for await (const { split, index, images } of splitIntoShards(dataset, size))
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
  for await (const { image, picture } of readAhead(images, pictures)) {
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
    yield takeWritten(bytes);
  }
  await parquet.finish();
  yield takeWritten(bytes);
}

/** What was written since the last time; offsets go on counting. */
function takeWritten(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice();
  writer.index = 0;
  return bytes;
}

function rowOf(image: DatasetImage, picture: Uint8Array, table: LabelTable, classes: readonly string[]) {
  const index = image.className === null ? -1 : classes.indexOf(image.className);
  const { masks } = toRecord(image, table);
  return {
    image: { bytes: picture, path: fileNameOf(image) },
    label: index < 0 ? null : BigInt(index),
    width: image.width,
    height: image.height,
    attributes: image.attributes?.present ?? null,
    masks,
    facts: JSON.stringify(toFacts(image)),
  };
}

const card = (dataset: Dataset, splits: readonly string[]): string =>
  [
    '---',
    writeYaml(
      new Map([
        [
          plain('configs'),
          [
            new Map<unknown, unknown>([
              [plain('config_name'), plain('default')],
              [
                plain('data_files'),
                splits.map(
                  (split) =>
                    new Map([
                      [plain('split'), splitName(split)],
                      [plain('path'), `data/${splitName(split)}-*`],
                    ]),
                ),
              ],
            ]),
          ],
        ],
      ]),
    ).trimEnd(),
    '---',
    `# ${dataset.name.replaceAll(/\s+/g, ' ')}`,
    '',
    `Version ${dataset.hash}, ${dataset.count} images. Licence: ${dataset.licence || 'not stated'}.`,
    '',
    'Masks are runs of COCO (`counts` with `size` as height, width); `facts` holds what is known of an image beside them.',
    '',
  ].join('\n');

const text = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
});
const number = (name: string, type: 'INT32' | 'INT64' | 'DOUBLE'): SchemaElement => ({
  name,
  type,
  repetition_type: 'OPTIONAL',
});
const list = (name: string, element: SchemaElement[]): SchemaElement[] => [
  { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ...element,
];

const maskFields: SchemaElement[] = [
  text('kind'),
  text('label'),
  number('instance', 'INT32'),
  ...list('bbox', [number('element', 'INT32')]),
  number('area', 'INT32'),
  ...list('size', [number('element', 'INT32')]),
  text('counts'),
  text('source'),
  number('confidence', 'DOUBLE'),
  ...list('flags', [text('element')]),
];

/** Fields of a mask, without what is nested in them. */
const MASK_FIELDS = 10;

const columns: SchemaElement[][] = [
  [
    { name: 'image', repetition_type: 'OPTIONAL', num_children: 2 },
    { name: 'bytes', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
    text('path'),
  ],
  [number('label', 'INT64')],
  [number('width', 'INT32')],
  [number('height', 'INT32')],
  list('attributes', [text('element')]),
  list('masks', [{ name: 'element', repetition_type: 'OPTIONAL', num_children: MASK_FIELDS }, ...maskFields]),
  [text('facts')],
];

const parquetSchema: SchemaElement[] = [{ name: 'schema', num_children: columns.length }, ...columns.flat()];

const columnNames = columns.map(([first]) => first?.name as string);

/** What makes the Hub's library decode pictures and name classes. */
function features(schema: DatasetSchema): string {
  const value = (dtype: string) => ({ dtype, _type: 'Value' });
  const listOf = (feature: object) => ({ feature, _type: 'Sequence' });
  return JSON.stringify({
    info: {
      features: {
        image: { _type: 'Image' },
        label: { names: schema.classes.map(({ id }) => id), _type: 'ClassLabel' },
        width: value('int32'),
        height: value('int32'),
        attributes: listOf(value('string')),
        masks: [
          {
            kind: value('string'),
            label: value('string'),
            instance: value('int32'),
            bbox: listOf(value('int32')),
            area: value('int32'),
            size: listOf(value('int32')),
            counts: value('string'),
            source: value('string'),
            confidence: value('float64'),
            flags: listOf(value('string')),
          },
        ],
        facts: value('string'),
      },
    },
  });
}
