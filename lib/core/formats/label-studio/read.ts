import type { Mask } from '@/lib/core/mask';
import type { Detection, SourceTree } from '../format';
import { readMapped } from '../mapping/open-source';
import { parseFacts, parseFlags } from '../shared/image-record';
import {
  fieldsOf,
  lazyMask,
  lostAnnotations,
  type RawAnnotation,
  type RawImage,
  type RawSource,
  readCategories,
  unreadable,
} from '../shared/raw-source';
import {
  asRecords,
  baseName,
  findPaths,
  folderOf,
  isRecord,
  Notes,
  PicturePaths,
  parseSplit,
  readJson,
  tryJson,
} from '../shared/read-tree';
import { type PictureSize, parsePolygons, parseSize } from '../shared/segmentation';
import { decodeBrush } from './brush';
import { isElsewhere, pathOfUrl } from './write';

type Row = Record<string, unknown>;

const isTask = (row: unknown): row is Row & { data: Row } => isRecord(row) && isRecord(row.data);
const asTasks = (given: unknown): (Row & { data: Row })[] | null =>
  Array.isArray(given) &&
  given.length > 0 &&
  given.slice(0, 20).every((row) => isTask(row) && ('annotations' in row || 'completions' in row))
    ? given.filter(isTask)
    : null;

const candidates = (tree: SourceTree) => findPaths(tree, /\.json$/i);

export async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of candidates(tree).slice(0, 4)) {
    const tasks = asTasks(await tryJson(tree, path));
    if (tasks)
      return {
        certainty: 0.9,
        because: `${path} is a list of ${tasks.length} tasks with data and annotations, as Label Studio exports them`,
      };
  }
  return null;
}

/** A task may have been labelled several times; the newest that was not taken back counts. */
function resultsOf(task: Row): Row[] {
  // Versions before 1.0 call them completions.
  const done = asRecords(task.annotations ?? task.completions).filter(
    ({ was_cancelled }) => was_cancelled !== true,
  );
  return asRecords(done.at(-1)?.result);
}

const SHAPES = ['brushlabels', 'polygonlabels'] as const;

function labelNames(row: Row): string[] {
  const value = isRecord(row.value) ? row.value : {};
  const names = SHAPES.flatMap((kind) => (Array.isArray(value[kind]) ? (value[kind] as unknown[]) : []));
  return names.filter((name): name is string => typeof name === 'string');
}

export const read = (tree: SourceTree) => readMapped(tree, open);

export async function open(tree: SourceTree): Promise<RawSource> {
  const paths: string[] = [];
  const names = new Set<string>();
  for (const path of candidates(tree)) {
    const tasks = asTasks(await tryJson(tree, path));
    if (!tasks) continue;
    paths.push(path);
    for (const task of tasks)
      for (const row of resultsOf(task)) for (const name of labelNames(row)) names.add(name);
  }
  if (paths.length === 0) throw new Error('No JSON file is a list of tasks as Label Studio exports them.');
  const vocabulary = await readCategories(tree, () => [...names].sort().map((name) => ({ name })));
  const notes = new Notes();
  return {
    origin: paths[0] as string,
    ...vocabulary,
    notes,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths)
        for (const task of asTasks(await readJson(tree, path)) ?? [])
          yield imageOf(tree, task, pictures, notes);
    },
  };
}

function imageOf(
  tree: SourceTree,
  task: Row & { data: Row },
  pictures: PicturePaths,
  notes: Notes,
): RawImage {
  const given =
    task.data.image ??
    Object.values(task.data).find((value) => typeof value === 'string' && /\.\w{3,4}$/.test(value));
  const path = typeof given === 'string' ? pathOfUrl(given) : '';
  const names = [path, ...(typeof given === 'string' && isElsewhere(given) ? [baseName(path)] : [])];
  const found =
    names
      // Label Studio puts eight letters before the names of files that were uploaded to it.
      .flatMap((name) => [name, name.replace(/[0-9a-f]{8}-(?=[^/]*$)/, '')])
      .map((name) => pictures.find(name))
      .find((each) => each !== null) ?? null;
  const rows = resultsOf(task);
  const drawn = rows.filter(({ type }) => type !== 'choices');
  if (found === null) {
    notes.add('tasks whose picture is not there, or there twice, were left out', `task ${String(task.id)}`);
    const problem = 'results of tasks whose picture is not there, or there twice,';
    return lostAnnotations(
      `task ${String(task.id)}`,
      problem,
      drawn.map((row) => unreadable(labelNames(row)[0], problem)),
    );
  }
  const size =
    rows.map((row) => parseSize(row.original_width, row.original_height)).find((each) => each !== null) ??
    null;
  const isOurs = task.data.tessera !== undefined;
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(found),
    split: typeof task.data.split === 'string' ? task.data.split : parseSplit(folderOf(found)),
    width: size?.width ?? null,
    height: size?.height ?? null,
    where: path,
    facts: parseFacts(task.data.tessera),
    tags: isOurs ? [] : choicesOf(rows),
    fields: fieldsOf(task.data),
    annotations: drawn.map((row) => annotationOf(row, size, isOurs)),
  };
}

/** Choices, which may name classes or attributes. */
const choicesOf = (rows: readonly Row[]): string[] =>
  rows
    .flatMap(({ value }) =>
      isRecord(value) && Array.isArray(value.choices) ? (value.choices as unknown[]) : [],
    )
    .filter((choice): choice is string => typeof choice === 'string');

function annotationOf(row: Row, size: PictureSize | null, isOurs: boolean): RawAnnotation {
  const value = isRecord(row.value) ? row.value : {};
  const [category] = labelNames(row);
  if (category === undefined) return unreadable('', `results of type "${String(row.type).slice(0, 40)}"`);
  if (!size) return unreadable(category, 'masks of tasks whose size is not said');
  if (typeof row.image_rotation === 'number' && row.image_rotation !== 0)
    return unreadable(category, 'masks on pictures that were turned in Label Studio');
  return {
    category,
    instance: isOurs && typeof row.instance === 'number' ? row.instance : null,
    ...parseFlags(row.flags),
    mask: lazyMask('results whose mask', () => maskOf(value, size)),
  };
}

/** Points are in percent of the picture's sides. */
function maskOf(value: Row, size: PictureSize): Mask {
  const { width, height } = size;
  if (Array.isArray(value.rle)) return decodeBrush(value.rle, height, width);
  if (!Array.isArray(value.points)) throw new Error('has neither points nor runs');
  const ring = (value.points as unknown[]).flatMap((point) => {
    const [x, y] = Array.isArray(point) ? point : [];
    return [(Number(x) * width) / 100, (Number(y) * height) / 100];
  });
  return parsePolygons([ring], size);
}
