import type { Mask } from '@/lib/core/mask';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assembleLabels, importProvenance, type RawAnnotation } from '../shared/annotations';
import { parseFacts, parseFlags } from '../shared/image-record';
import {
  asRecords,
  baseName,
  findPaths,
  isRecord,
  Notes,
  PicturePaths,
  parseSplit,
  readJson,
  tryJson,
} from '../shared/read-tree';
import { describeMaskError, type PictureSize, parsePolygons, parseSize } from '../shared/segmentation';
import { readVocabulary, type Vocabulary } from '../shared/vocabulary';
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

export async function read(tree: SourceTree): Promise<Source> {
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
  const vocabulary = await readVocabulary(tree, paths[0] as string, () =>
    [...names].sort().map((name) => ({ name })),
  );
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths)
        for (const task of asTasks(await readJson(tree, path)) ?? []) {
          const image = imageOf(tree, task, vocabulary, pictures, notes);
          if (image) yield image;
        }
    },
  };
}

function imageOf(
  tree: SourceTree,
  task: Row & { data: Row },
  vocabulary: Vocabulary,
  pictures: PicturePaths,
  notes: Notes,
): SourceImage | null {
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
  if (found === null) {
    notes.add('tasks whose picture is not there, or there twice, were left out', `task ${String(task.id)}`);
    return null;
  }
  const rows = resultsOf(task);
  const size =
    rows.map((row) => parseSize(row.original_width, row.original_height)).find((each) => each !== null) ??
    null;
  const isOurs = task.data.tessera !== undefined;
  const facts = parseFacts(task.data.tessera);
  const chosen = isOurs ? facts : choicesOf(rows, vocabulary, facts);
  const raw = rows.flatMap((row) => rawOf(row, size, isOurs, notes, path));
  return {
    path: found,
    bytes: () => tree.bytes(found),
    name: baseName(found),
    split: typeof task.data.split === 'string' ? task.data.split : parseSplit(found),
    width: size?.width ?? null,
    height: size?.height ?? null,
    ...assembleLabels(raw, chosen, vocabulary, notes, path),
  };
}

/** Choices that name classes or attributes of the schema. */
function choicesOf(rows: readonly Row[], { schema }: Vocabulary, facts: ReturnType<typeof parseFacts>) {
  const chosen = rows.flatMap(({ value }) =>
    isRecord(value) && Array.isArray(value.choices) ? (value.choices as unknown[]) : [],
  );
  const present = schema.attributes.map(({ id }) => id).filter((id) => chosen.includes(id));
  return {
    ...facts,
    className:
      schema.classes.find(({ id, name }) => chosen.includes(id) || chosen.includes(name))?.id ?? null,
    attributes: present.length > 0 ? { ...importProvenance, present } : null,
  };
}

function rawOf(
  row: Row,
  size: { width: number; height: number } | null,
  isOurs: boolean,
  notes: Notes,
  where: string,
): RawAnnotation[] {
  const value = isRecord(row.value) ? row.value : {};
  if (row.type === 'choices') return [];
  const leaveOut = (what: string): RawAnnotation[] => {
    notes.add(`${what} were left out`, where);
    return [];
  };
  const [name] = labelNames(row);
  if (name === undefined) return leaveOut(`results of type "${String(row.type).slice(0, 40)}"`);
  if (!size) return leaveOut('masks of tasks whose size is not said');
  if (typeof row.image_rotation === 'number' && row.image_rotation !== 0)
    return leaveOut('masks on pictures that were turned in Label Studio');
  try {
    const mask = maskOf(value, size);
    const instance = isOurs && typeof row.instance === 'number' ? row.instance : null;
    return [{ name, instance, mask, ...parseFlags(row.flags) }];
  } catch (error) {
    return leaveOut(`results whose mask ${describeMaskError(error)}`);
  }
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
