import { readTar, type TarMember, tarEnd, tarMember } from './codecs/tar';
import type { Dataset, DatasetImage } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { checkDataset, toCheck } from './shared/check';
import { parseFacts, parseRecordMasks, toRecord } from './shared/image-record';
import {
  fieldsOf,
  lostAnnotations,
  type RawImage,
  type RawSource,
  readCategories,
} from './shared/raw-source';
import { baseName, findPaths, isRecord, Notes } from './shared/read-tree';
import { parseSize } from './shared/segmentation';
import { createLabelTable, type LabelTable, schemaFile, type Vocabulary } from './shared/vocabulary';
import { fileNameOf, mediaTypeOf, readAhead, splitIntoShards, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'webdataset',
  name: 'WebDataset',
  summary: 'Tar shards of samples: picture, class number and a JSON with all labels.',
  kind: 'general',
  holds: ['instances', 'stuff', 'crowd', 'occluded', 'truncated'],
  options: [
    {
      name: 'shard',
      kind: 'number',
      description: 'Samples in a tar file.',
      min: 1,
      max: 10_000,
      isWhole: true,
      defaultValue: 1000,
    },
  ],
  check: async (dataset) =>
    toCheck(
      await checkDataset(dataset, {
        name: (name) =>
          stemOf(name).includes('.') ? 'has a dot before its ending, where WebDataset would cut it' : null,
      }),
      [],
    ),
  write,
  reader: { detect, read: (tree) => readMapped(tree, open), open },
};

const shardPath = (split: string, index: number): string => `${split}-${String(index).padStart(6, '0')}.tar`;

/** The split that `shardPath` was given. */
const splitOfShard = (path: string): string | null => /([^/]+)-\d+\.tar$/.exec(path)?.[1] ?? null;

const encoder = new TextEncoder();

async function* write(dataset: Dataset, options: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const size = Number(options.shard);
  yield schemaFile(dataset.schema);
  for await (const { split, index, images } of splitIntoShards(dataset, size))
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
  for await (const { image, picture } of readAhead(images, pictures)) {
    const key = stemOf(fileNameOf(image));
    const ending = mediaTypeOf(image) === 'image/jpeg' ? 'jpg' : mediaTypeOf(image).replace('image/', '');
    const index = image.className === null ? -1 : classes.indexOf(image.className);
    if (index >= 0) yield* tarMember(`${key}.cls`, encoder.encode(String(index)));
    yield* tarMember(`${key}.${ending}`, picture);
    yield* tarMember(`${key}.json`, encoder.encode(JSON.stringify(toRecord(image, table))));
  }
  yield tarEnd();
}

const PICTURE = /^(jpe?g|png|webp)$/i;

const shards = (tree: SourceTree) => findPaths(tree, /\.tar$/i);

/** Key and column: up to the first dot of the base name, and the rest. */
function splitName(name: string): { key: string; column: string } {
  const dot = name.indexOf('.', name.lastIndexOf('/') + 1);
  return dot < 0 ? { key: name, column: '' } : { key: name.slice(0, dot), column: name.slice(dot + 1) };
}

/** Members of one key that stand together; memory holds one sample. */
function* samplesOf(tar: Uint8Array): Generator<{ key: string; columns: Map<string, Uint8Array> }> {
  let key: string | null = null;
  let columns = new Map<string, Uint8Array>();
  for (const member of readTar(tar)) {
    const name = splitName(member.name);
    if (key !== null && name.key !== key) {
      yield { key, columns };
      columns = new Map();
    }
    key = name.key;
    columns.set(name.column, (member as TarMember).bytes);
  }
  if (key !== null) yield { key, columns };
}

async function detect(tree: SourceTree): Promise<Detection | null> {
  const [path] = shards(tree);
  if (path === undefined) return null;
  try {
    for (const { key, columns } of samplesOf(await tree.bytes(path))) {
      const picture = [...columns.keys()].find((column) => PICTURE.test(column));
      if (!picture) return null;
      const because = `${path} begins with the sample "${key}" of ${[...columns.keys()].join(', ')}; there are ${shards(tree).length} shards`;
      return { certainty: columns.has('json') ? 0.9 : 0.7, because };
    }
  } catch {
    // A tar that cannot be read is no shard.
  }
  return null;
}

const parsed = (bytes: Uint8Array | undefined): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
};

async function open(tree: SourceTree): Promise<RawSource> {
  const paths = shards(tree);
  if (paths.length === 0) throw new Error('There is no .tar file.');
  const vocabulary = await readCategories(tree, () => labelsOf(tree, paths));
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    ...vocabulary,
    notes,
    async *images() {
      // One shard in memory at a time.
      for (const path of paths)
        for (const { key, columns } of samplesOf(await tree.bytes(path)))
          yield imageOf(path, key, columns, vocabulary.known, notes);
    },
  };
}

/** Without a schema, the numbers or words of `cls` and the labels of masks are the classes. */
async function labelsOf(tree: SourceTree, paths: readonly string[]) {
  const names = new Set<string>();
  for (const path of paths)
    for (const { columns } of samplesOf(await tree.bytes(path))) {
      const record = parsed(columns.get('json'));
      if (isRecord(record) && Array.isArray(record.masks))
        for (const mask of record.masks)
          if (isRecord(mask) && typeof mask.label === 'string') names.add(mask.label);
      const cls = classOf(columns);
      if (cls !== null) names.add(cls);
    }
  return [...names].sort().map((name) => ({ name }));
}

const classOf = (columns: ReadonlyMap<string, Uint8Array>): string | null => {
  const text = new TextDecoder().decode((columns.get('cls') ?? new Uint8Array()).subarray(0, 80)).trim();
  return text === '' ? null : text;
};

function imageOf(
  path: string,
  key: string,
  columns: ReadonlyMap<string, Uint8Array>,
  known: Vocabulary | null,
  notes: Notes,
): RawImage {
  const record = parsed(columns.get('json'));
  const row = isRecord(record) ? record : {};
  const [ending, bytes] = [...columns].find(([column]) => PICTURE.test(column)) ?? [];
  if (!ending || !bytes) {
    notes.add('samples without a picture were left out', `${key} in ${path}`);
    const problem = 'masks of samples without a picture';
    return lostAnnotations(`${key} in ${path}`, problem, parseRecordMasks(row.masks, null));
  }
  const size = parseSize(row.width, row.height);
  const cls = classOf(columns);
  // Our own exports number classes in the order of their schema.
  const byNumber = cls !== null && /^\d+$/.test(cls) ? known?.schema.classes[Number(cls)]?.id : undefined;
  return {
    path: `${path}/${key}.${ending}`,
    // A copy: the shard itself may go.
    bytes: async () => new Uint8Array(bytes),
    name: `${baseName(key)}.${ending}`,
    split: splitOfShard(path),
    width: size?.width ?? null,
    height: size?.height ?? null,
    where: key,
    facts: parseFacts(record),
    tags: cls === null ? [] : [byNumber ?? cls],
    fields: fieldsOf(row),
    annotations: parseRecordMasks(row.masks, size),
  };
}
