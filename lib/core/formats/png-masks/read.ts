import { limits } from '@/lib/core/image-limits';
import { groupBy } from '@/lib/core/quality/group-by';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assemble, type RawThing } from '../general/assemble';
import { readFacts } from '../general/facts';
import { pngMask } from '../general/mask-png';
import { Notes } from '../general/notes';
import { maskFault, readSize } from '../general/segmentation';
import { readSchemaFile } from '../general/sidecar';
import type { ThingKind } from '../general/things';
import { baseName, findPaths, folderOf, readText } from '../general/tree';
import { vocabularyOf } from '../general/vocabulary';
import { readCsv } from '../markup/csv';

type Row = Record<string, string>;

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const [path] = findPaths(tree, /(^|\/)masks\.csv$/);
  if (path === undefined) return null;
  const [header = ''] = (await readText(tree, path)).split(/\r?\n/, 1);
  if (!/(^|,)image,mask,/.test(header)) return null;
  const masks = tree.paths.filter((each) => each.endsWith('.png') && each.includes('masks/')).length;
  return {
    certainty: 0.95,
    because: `${path} lists masks by image, and there are ${masks} PNG files under masks/`,
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const [path] = findPaths(tree, /(^|\/)masks\.csv$/);
  if (path === undefined) throw new Error('There is no masks.csv.');
  const root = folderOf(path) === '' ? '' : `${folderOf(path)}/`;
  const rows = [...readCsv(await readText(tree, path))];
  const isOurs = (await readSchemaFile(tree)) !== null;
  const vocabulary = await vocabularyOf(tree, path, () => rows.map(({ label = '' }) => ({ name: label })));
  /** Our own table has kind and id apart; another's label may be anything. */
  const resolve = isOurs ? (name: string) => readPair(name) : vocabulary.resolve;
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const known = new Set(tree.paths);
      const masks = groupBy(rows, ({ image }) => image ?? '');
      const [table] = findPaths(tree, /(^|\/)images\.csv$/);
      const images: Iterable<Row> = table
        ? readCsv(await readText(tree, table))
        : [...masks.keys()].map((image) => ({ image }));
      for (const row of images) {
        const found = `${root}${row.image ?? ''}`;
        if (!known.has(found)) {
          notes.add('images whose picture is not there were left out', row.image ?? '');
          continue;
        }
        const size = readSize(Number(row.width), Number(row.height));
        const raw = await rawOf(tree, root, known, masks.get(row.image ?? '') ?? [], size, notes);
        yield imageOf(
          tree,
          found,
          row,
          size,
          assemble(raw, factsOfRow(row), { ...vocabulary, resolve }, notes, found),
        );
      }
    },
  };
}

const pairOf = ({ kind = '', label = '' }: Row): string => `${kind} ${label}`;

function readPair(pair: string): { kind: ThingKind; id: string } | undefined {
  const [kind = '', ...rest] = pair.split(' ');
  return kind === 'object' || kind === 'part' || kind === 'attribute'
    ? { kind, id: rest.join(' ') }
    : undefined;
}

function factsOfRow(row: Row) {
  let given: unknown = { class: row.class || null, wnid: row.wnid || null, group: row.group || null };
  try {
    given = JSON.parse(row.facts ?? '');
  } catch {
    // A table that somebody else made: its plain columns say enough.
  }
  return readFacts(given);
}

async function rawOf(
  tree: SourceTree,
  root: string,
  known: ReadonlySet<string>,
  rows: readonly Row[],
  size: { width: number; height: number } | null,
  notes: Notes,
): Promise<RawThing[]> {
  const raw: RawThing[] = [];
  for (const row of rows) {
    const path = `${root}${row.mask ?? ''}`;
    const name = row.kind === undefined ? (row.label ?? '') : pairOf(row);
    if (!known.has(path)) {
      notes.add('masks whose file is not there were left out', path);
      continue;
    }
    try {
      const mask = await pngMask(await tree.bytes(path), size ? size.width * size.height : limits.pixels);
      if (size && (mask.width !== size.width || mask.height !== size.height))
        throw new Error('is not of the size of its image');
      const instance = Number(row.instance || Number.NaN);
      raw.push({ name, instance: Number.isInteger(instance) && instance < 1e6 ? instance : null, mask });
    } catch (error) {
      notes.add(`masks of which one ${maskFault(error)} were left out`, path);
    }
  }
  return raw;
}

const imageOf = (
  tree: SourceTree,
  path: string,
  row: Row,
  size: { width: number; height: number } | null,
  labels: ReturnType<typeof assemble>,
): SourceImage => ({
  path,
  bytes: () => tree.bytes(path),
  name: baseName(path),
  split: row.split || null,
  width: size?.width ?? null,
  height: size?.height ?? null,
  ...labels,
});
