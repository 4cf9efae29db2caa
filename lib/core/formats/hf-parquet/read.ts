import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { parseFacts, parseRecordMasks } from '../shared/image-record';
import {
  fieldsOf,
  lostAnnotations,
  type RawImage,
  type RawSource,
  readCategories,
} from '../shared/raw-source';
import { baseName, findPaths, isRecord, Notes } from '../shared/read-tree';
import { parseSize } from '../shared/segmentation';
import { type Footer, readFooter } from './footer';
import { splitOfShard } from './write';

type Row = Record<string, unknown>;

const ROWS_PER_READ = 16;
const MAX_IMAGE_BYTES = 16;
/** Under which the datasets library keeps its features. */
const NOTE = 'huggingface';

const shards = (tree: SourceTree) => findPaths(tree, /\.parquet$/i);

export async function openShard(
  tree: SourceTree,
  path: string,
): Promise<{ file: AsyncBuffer; metadata: FileMetaData }> {
  const bytes = await tree.bytes(path);
  const file: AsyncBuffer = {
    byteLength: bytes.length,
    // Copied by hand: the slice of a Buffer is a window on memory that it shares.
    slice: (start, end) => new Uint8Array(bytes.subarray(start, end)).buffer,
  };
  try {
    return { file, metadata: await parquetMetadataAsync(file) };
  } catch (error) {
    throw new Error(
      `${path} is no whole Parquet file (${error instanceof Error ? error.message : 'unreadable'}).`,
    );
  }
}

/** The first column whose rows are a picture with bytes. */
function imageColumn(columns: Footer['columns']): string | null {
  const at = columns.findIndex(({ name, children: count }, i) => {
    // A picture has its bytes, its path, and nothing that would be looked for far away.
    const children = columns
      .slice(i + 1, i + 1 + Math.min(count, MAX_IMAGE_BYTES))
      .map((child) => child.name);
    return i > 0 && name !== '' && children.includes('bytes') && children.includes('path');
  });
  return at < 0 ? null : (columns[at]?.name ?? null);
}

const columnsOf = ({ schema }: FileMetaData): Footer['columns'] =>
  schema.map(({ name, num_children }) => ({ name, children: num_children ?? 0 }));

/** Names of the classes behind the numbers of `label`. */
function classNames(stored: string | undefined): string[] {
  try {
    const features = JSON.parse(stored ?? '').info.features as Record<
      string,
      { _type?: string; names?: unknown }
    >;
    const found = Object.values(features).find(({ _type }) => _type === 'ClassLabel')?.names;
    return Array.isArray(found) ? found.filter((name): name is string => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

const readNote = ({ key_value_metadata }: FileMetaData): string | undefined =>
  key_value_metadata?.find(({ key }) => key === NOTE)?.value;

/** In the process that asks, which may be a web server: with a reader that ends when the bytes do. */
export async function detect(tree: SourceTree): Promise<Detection | null> {
  const [path] = shards(tree);
  if (path === undefined) return null;
  try {
    const { columns, rows, notes } = readFooter(await tree.bytes(path));
    const column = imageColumn(columns);
    if (column === null) return null;
    const because = `${path} has ${rows} rows with pictures in the column "${column}" and ${classNames(notes.get(NOTE)).length} classes`;
    return { certainty: 0.9, because };
  } catch {
    return null;
  }
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths = shards(tree);
  if (paths.length === 0) throw new Error('There is no .parquet file.');
  const vocabulary = await readCategories(tree, async () => {
    const { metadata } = await openShard(tree, paths[0] as string);
    return classNames(readNote(metadata)).map((name) => ({ name }));
  });
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    ...vocabulary,
    notes,
    async *images() {
      for (const path of paths) yield* imagesOf(tree, path, notes);
    },
  };
}

async function* imagesOf(tree: SourceTree, path: string, notes: Notes): AsyncGenerator<RawImage> {
  const { file, metadata } = await openShard(tree, path);
  const column = imageColumn(columnsOf(metadata));
  if (column === null) throw new Error(`${path} has no column of pictures.`);
  const classes = classNames(readNote(metadata));
  for await (const { row, number } of rowsOf(file, metadata)) {
    const where = `row ${number} of ${path}`;
    yield imageOf(row, column, where, path, classes, notes);
  }
}

/** Group by group, a few at once. The numbers in the footer may be anything: where nothing comes, nothing follows. */
export async function* rowsOf(
  file: AsyncBuffer,
  metadata: FileMetaData,
): AsyncGenerator<{ row: Row; number: number }> {
  let first = 0;
  for (const group of metadata.row_groups) {
    const count = Math.min(Number(group.num_rows), file.byteLength);
    for (let at = 0; at < count; at += ROWS_PER_READ) {
      const rowStart = first + at;
      const rowEnd = first + Math.min(count, at + ROWS_PER_READ);
      // Without conversion bytes would come as text.
      const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, utf8: false });
      if (rows.every((row) => Object.values(row).every((value) => value === undefined || value === null)))
        return;
      for (const [index, row] of rows.entries()) yield { row, number: rowStart + index + 1 };
    }
    first += count;
  }
}

function imageOf(
  row: Row,
  column: string,
  where: string,
  path: string,
  classes: readonly string[],
  notes: Notes,
): RawImage {
  const picture = isRecord(row[column]) ? row[column] : {};
  if (!(picture.bytes instanceof Uint8Array)) {
    notes.add('rows without a picture were left out', where);
    const problem = 'masks of rows without a picture';
    return lostAnnotations(where, problem, parseRecordMasks(row.masks, null));
  }
  const bytes = picture.bytes;
  const label = typeof row.label === 'bigint' || typeof row.label === 'number' ? Number(row.label) : -1;
  const size = parseSize(row.width, row.height);
  if (row.objects !== undefined) notes.add('rows lost their boxes, which are no masks', where);
  return {
    path: typeof picture.path === 'string' ? `${path}/${picture.path}` : where,
    bytes: async () => bytes,
    name: typeof picture.path === 'string' ? baseName(picture.path) : `${where.replaceAll(/\W+/g, '-')}.jpg`,
    split: splitOfShard(path),
    width: size?.width ?? null,
    height: size?.height ?? null,
    where,
    facts: parseFacts(parsed(row.facts)),
    tags: classes[label] === undefined ? [] : [classes[label] as string],
    fields: fieldsOf(row),
    annotations: parseRecordMasks(row.masks, size),
  };
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
