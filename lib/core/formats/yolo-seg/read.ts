import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { assemble, type RawThing } from '../general/assemble';
import { noFacts } from '../general/facts';
import { Notes } from '../general/notes';
import { pictureSize } from '../general/picture-size';
import { maskFault, type PictureSize, readPolygons, readSize } from '../general/segmentation';
import { splitFrom } from '../general/split-name';
import { baseName, findPaths, readText } from '../general/tree';
import { type Vocabulary, vocabularyOf } from '../general/vocabulary';
import { readYaml } from '../markup/yaml';
import { labelPathOf } from './paths';

const PICTURES = /(^|\/)images\/.*\.(jpe?g|png|webp|gif)$/i;

const yamls = (tree: SourceTree) => findPaths(tree, /\.ya?ml$/i);

/** Names by the numbers that label files use. */
async function namesOf(tree: SourceTree, path: string): Promise<Map<number, string> | null> {
  const { names } = readYaml(await readText(tree, path));
  if (names === undefined || typeof names === 'string') return null;
  const entries = Array.isArray(names) ? [...names.entries()] : Object.entries(names);
  return new Map(entries.map(([id, name]) => [Number(id), name]));
}

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const labels = tree.paths.filter((path) => /(^|\/)labels\/.*\.txt$/i.test(path)).length;
  if (labels === 0) return null;
  for (const path of yamls(tree).slice(0, 4)) {
    const names = await namesOf(tree, path).catch(() => null);
    if (names && names.size > 0)
      return {
        certainty: 0.9,
        because: `${path} names ${names.size} classes, and there are ${labels} label files under labels/`,
      };
  }
  return null;
}

export async function read(tree: SourceTree): Promise<Source> {
  const notes = new Notes();
  let names: Map<number, string> | null = null;
  let source = '';
  for (const path of yamls(tree)) {
    names ??= await namesOf(tree, path);
    source ||= path;
  }
  if (!names || names.size === 0) throw new Error('There is no data.yaml with names of classes.');
  const known = names;
  const isContiguous = [...Array(known.size).keys()].every((id) => known.has(id));
  if (!isContiguous)
    notes.add('lists of names whose numbers do not run on from 0 were read by their numbers', source);
  const vocabulary = await vocabularyOf(tree, source, () => [...known.values()].map((name) => ({ name })));
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const all = new Set(tree.paths);
      for (const path of findPaths(tree, PICTURES)) {
        const label = labelPathOf(path);
        // No label file: a picture of nothing, as far as the format says.
        const text = all.has(label) ? await readText(tree, label) : '';
        const image = await imageOf(tree, path, text, known, vocabulary, notes);
        if (image) yield image;
      }
    },
  };
}

async function imageOf(
  tree: SourceTree,
  path: string,
  text: string,
  names: ReadonlyMap<number, string>,
  vocabulary: Vocabulary,
  notes: Notes,
): Promise<SourceImage | null> {
  // Rows are shares of the picture's sides: its header must be asked.
  const header = pictureSize(await tree.bytes(path));
  const size = header && readSize(header.width, header.height);
  if (!size) {
    notes.add('pictures whose size cannot be read were left out', path);
    return null;
  }
  const raw = text
    .split(/\r?\n/)
    .flatMap((line) => (line.trim() === '' ? [] : rowOf(line, size, names, notes, path)));
  return {
    path,
    bytes: () => tree.bytes(path),
    name: baseName(path),
    split: /(?:^|\/)images\/([^/]+)\//.exec(path)?.[1] ?? splitFrom(path),
    ...size,
    ...assemble(raw, noFacts, vocabulary, notes, path),
  };
}

function rowOf(
  line: string,
  size: PictureSize,
  names: ReadonlyMap<number, string>,
  notes: Notes,
  where: string,
): RawThing[] {
  const leaveOut = (what: string): RawThing[] => {
    notes.add(`${what} were left out`, where);
    return [];
  };
  const [id = Number.NaN, ...shares] = line.trim().split(/\s+/).map(Number);
  const name = names.get(id);
  if (name === undefined) return leaveOut('rows whose class is not listed');
  if (shares.length === 4) return leaveOut('rows with a box and no polygon');
  if (shares.some((share) => !(share >= -1 && share <= 2)))
    return leaveOut('rows with coordinates outside of the picture');
  try {
    const ring = shares.map((share, i) => share * (i % 2 === 0 ? size.width : size.height));
    return [{ name, instance: null, mask: readPolygons([ring], size) }];
  } catch (error) {
    return leaveOut(`rows whose polygon ${maskFault(error)}`);
  }
}
