import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assemble } from '../general/assemble';
import { readFacts } from '../general/facts';
import { type GroupedShape, readGroup, thingsOfGroups } from '../general/groups';
import { Notes } from '../general/notes';
import { maskFault, readPolygons, readSegmentation, readSize } from '../general/segmentation';
import { baseName, findPaths, isRecord, listOf, PicturePaths, readJson, tryJson } from '../general/tree';
import { type Vocabulary, vocabularyOf } from '../general/vocabulary';

type Row = Record<string, unknown>;

interface DatumaroDocument {
  labels: Row[];
  items: Row[];
}

function asDatumaro(given: unknown): DatumaroDocument | null {
  if (!isRecord(given) || !Array.isArray(given.items) || !isRecord(given.categories)) return null;
  const label = isRecord(given.categories.label) ? given.categories.label : {};
  return { labels: listOf(label.labels), items: listOf(given.items) };
}

const candidates = (tree: SourceTree) => findPaths(tree, /(^|\/)annotations\/[^/]+\.json$/i);

export async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of candidates(tree).slice(0, 4)) {
    const found = asDatumaro(await tryJson(tree, path));
    if (!found) continue;
    const because = `${path} has ${found.items.length} items and ${found.labels.length} labels under categories.label`;
    return { certainty: 0.9, because };
  }
  return null;
}

export async function read(tree: SourceTree): Promise<Source> {
  const paths: string[] = [];
  const labels: Row[] = [];
  for (const path of candidates(tree)) {
    const found = asDatumaro(await tryJson(tree, path));
    if (!found) continue;
    paths.push(path);
    labels.push(...found.labels);
  }
  if (paths.length === 0)
    throw new Error('No file under annotations/ has items and categories as Datumaro writes them.');
  const vocabulary = await vocabularyOf(tree, paths[0] as string, () =>
    labels.flatMap(({ name, parent }) =>
      typeof name === 'string' ? [{ name, parent: typeof parent === 'string' ? parent : '' }] : [],
    ),
  );
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths) {
        const found = asDatumaro(await readJson(tree, path));
        if (found) yield* imagesOf(tree, path, found, vocabulary, pictures, notes);
      }
    },
  };
}

function* imagesOf(
  tree: SourceTree,
  path: string,
  { labels, items }: DatumaroDocument,
  vocabulary: Vocabulary,
  pictures: PicturePaths,
  notes: Notes,
): Generator<SourceImage> {
  const split = baseName(path).replace(/\.json$/i, '');
  for (const item of items) {
    const image = isRecord(item.image) ? item.image : isRecord(item.media) ? item.media : {};
    const name = typeof image.path === 'string' ? image.path : '';
    const found = name === '' ? null : pictures.find(name, split);
    if (found === null) {
      notes.add('items whose picture is not there, or there twice, were left out', String(item.id));
      continue;
    }
    const [height, width] = Array.isArray(image.size) ? image.size : [];
    const size = readSize(width, height);
    const facts = readFacts(isRecord(item.attr) ? item.attr.tessera : undefined);
    const rows = listOf(item.annotations);
    const labelOf = (row: Row) => labels[typeof row.label_id === 'number' ? row.label_id : -1]?.name;
    const shapes = rows.flatMap((row) => shapeOf(row, labelOf(row), size, notes, name));
    const whole = rows.find(({ type }) => type === 'label');
    const wholeName = whole && labelOf(whole);
    const meaning = typeof wholeName === 'string' ? vocabulary.resolve(wholeName) : undefined;
    const className = facts.className ?? (meaning?.kind === 'object' ? meaning.id : null);
    const isOurs = isRecord(item.attr) && item.attr.tessera !== undefined;
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: baseName(name),
      split: split === 'default' ? null : split,
      width: size?.width ?? null,
      height: size?.height ?? null,
      ...assemble(thingsOfGroups(shapes, isOurs), { ...facts, className }, vocabulary, notes, name),
    };
  }
}

function shapeOf(
  row: Row,
  name: unknown,
  size: { width: number; height: number } | null,
  notes: Notes,
  where: string,
): GroupedShape[] {
  const { type, group } = row;
  if (type === 'label') return [];
  const leaveOut = (what: string): GroupedShape[] => {
    notes.add(`${what} were left out`, where);
    return [];
  };
  if (typeof name !== 'string') return leaveOut('annotations whose label is not listed');
  if (type !== 'mask' && type !== 'polygon')
    return leaveOut(`annotations of type "${String(type).slice(0, 40)}"`);
  if (!size) return leaveOut('masks of images whose size is not said');
  try {
    const mask = type === 'mask' ? readSegmentation(row.rle, size) : readPolygons([row.points], size);
    return [{ name, group: readGroup(group), mask }];
  } catch (error) {
    return leaveOut(`annotations whose mask ${maskFault(error)}`);
  }
}
