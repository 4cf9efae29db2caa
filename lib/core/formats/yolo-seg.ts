import { Utf8Writer } from './codecs/bytes';
import { plain, readYaml, writeYaml } from './codecs/yaml';
import type { Dataset, DatasetImage } from './dataset';
import type { Detection, Format, FormatFile, Options, Pictures, SourceTree } from './format';
import { readMapped } from './mapping/open-source';
import { listAnnotations } from './shared/annotations';
import { checkDataset, losses, toCheck } from './shared/check';
import { singleRing } from './shared/polygons';
import {
  lazyMask,
  lostAnnotations,
  type RawAnnotation,
  type RawImage,
  type RawSource,
  rawImage,
  readCategories,
  unreadable,
} from './shared/raw-source';
import { findPaths, folderOf, Notes, parseSplit, readPictureSize, readText } from './shared/read-tree';
import { type PictureSize, parsePolygons, parseSize } from './shared/segmentation';
import { createLabelTable, type LabelTable, schemaFile } from './shared/vocabulary';
import { fileNameOf, pictureFile, stemOf } from './shared/write-files';

export const format: Format = {
  id: 'yolo-seg',
  name: 'YOLO segmentation',
  summary: 'A text file of polygons for every picture, and data.yaml, as Ultralytics reads them.',
  kind: 'general',
  holds: ['instances', 'stuff'],
  holdsClasses: false,
  options: [],
  check: async (dataset) =>
    toCheck(
      await checkDataset(dataset, {
        name: (name) => (/\s/.test(name) ? 'has a space, which lists of YOLO cannot hold' : null),
      }),
      [
        'Every mask is one polygon: pieces and holes hang together by bridges. By COCO’s rule the mask is the same; tools that draw the border of a polygon add lines one pixel wide.',
        'Which parts belong to which object is left out: parts, objects and attributes are rows of their own.',
        losses.facts,
        'Attributes without a mask are left out.',
        losses.absent,
        losses.provenance,
        ...['train', 'val']
          .filter((split) => !dataset.splits.includes(split))
          .map((split) => `There is no split "${split}", without which Ultralytics does not begin to train.`),
      ],
    ),
  write,
  reader: { detect, read: (tree) => readMapped(tree, open), open },
};

const DATA_PATH = 'data.yaml';
/** Ultralytics finds the labels of a picture by putting "labels" for the last "images" of its path. */
const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
const labelPath = (split: string, stem: string): string => `labels/${split}/${stem}.txt`;
const labelPathOf = (picture: string): string =>
  picture.replace(/(^|.*\/)images\//, '$1labels/').replace(/\.[^./]+$/, '.txt');

/** Pixels of all sides that are remembered at once: some megabytes. */
const MAX_CACHED_PIXELS = 2 ** 20;
/** " 0.123456" */
const MAX_SIDE = 9;

/** Whole pixels as shares of a side, as text with a blank before it: a side has few of them and a dataset millions of points. */
class SideShares {
  readonly #texts: Uint8Array;
  /** 0 where a text was never asked for. */
  readonly #lengths: Uint8Array;

  constructor(private readonly side: number) {
    this.#texts = new Uint8Array(MAX_SIDE * (side + 1));
    this.#lengths = new Uint8Array(side + 1);
  }

  write(to: Utf8Writer, value: number): void {
    const at = value * MAX_SIDE;
    if (this.#lengths[value] === 0) this.#lengths[value] = this.#format(value, at);
    to.part(this.#texts, at, at + (this.#lengths[value] as number));
  }

  /** Six digits place a point of the widest picture within a thirtieth of a pixel. */
  #format(value: number, at: number): number {
    const share = Number((value / this.side).toFixed(6));
    return encoder.encodeInto(` ${share}`, this.#texts.subarray(at, at + MAX_SIDE)).written;
  }
}

const encoder = new TextEncoder();

/** The shares of every side that pictures have. */
class Shares {
  readonly #sides = new Map<number, SideShares>();
  #cachedPx = 0;

  of(side: number): SideShares {
    const known = this.#sides.get(side);
    if (known) return known;
    if (this.#cachedPx + side > MAX_CACHED_PIXELS) {
      this.#sides.clear();
      this.#cachedPx = 0;
    }
    this.#cachedPx += side;
    const shares = new SideShares(side);
    this.#sides.set(side, shares);
    return shares;
  }
}

async function* write(dataset: Dataset, _: Options, pictures: Pictures): AsyncIterable<FormatFile> {
  const table = createLabelTable(dataset.schema);
  const shares = new Shares();
  yield schemaFile(dataset.schema);
  yield { path: DATA_PATH, bytes: () => encoder.encode(dataYaml(dataset, table)) };
  for await (const image of dataset.images()) {
    const name = fileNameOf(image);
    yield pictureFile(imagePath(image.split, name), image, pictures);
    yield {
      path: labelPath(image.split, stemOf(name)),
      bytes: () => rowsOf(image, table, shares),
    };
  }
}

function dataYaml({ splits }: Dataset, table: LabelTable): string {
  // Without `path` the folders are sought beside this file; "." would be wherever the trainer was started.
  return writeYaml(
    new Map<unknown, unknown>([
      ...splits.map((split) => [split, `images/${split}`] as const),
      [plain('names'), new Map(table.labels.map(({ name }, index) => [index, name]))],
    ]),
  );
}

function rowsOf(image: DatasetImage, table: LabelTable, shares: Shares): Uint8Array {
  const text = new Utf8Writer();
  const across = shares.of(image.width);
  const down = shares.of(image.height);
  for (const annotation of listAnnotations(image)) {
    const ring = singleRing(annotation.mask);
    if (ring.length < 6) continue;
    text.integer(table.indexOf(annotation));
    for (let i = 0; i < ring.length; i += 2) {
      across.write(text, ring[i] as number);
      down.write(text, ring[i + 1] as number);
    }
    text.text('\n');
  }
  return text.take();
}

const PICTURES = /(^|\/)images\/.*\.(jpe?g|png|webp|gif)$/i;

const yamls = (tree: SourceTree) => findPaths(tree, /\.ya?ml$/i);

/** Names by the numbers that label files use. */
async function namesOf(tree: SourceTree, path: string): Promise<Map<number, string> | null> {
  const { names } = readYaml(await readText(tree, path));
  if (typeof names !== 'object' || names === null) return null;
  return new Map(Object.entries(names).map(([id, name]) => [Number(id), String(name)]));
}

async function detect(tree: SourceTree): Promise<Detection | null> {
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

async function open(tree: SourceTree): Promise<RawSource> {
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
  const vocabulary = await readCategories(tree, () => [...known.values()].map((name) => ({ name })));
  return {
    origin: source,
    ...vocabulary,
    notes,
    async *images() {
      const all = new Set(tree.paths);
      for (const path of findPaths(tree, PICTURES)) {
        const label = labelPathOf(path);
        // No label file: a picture of nothing, as far as the format says.
        const text = all.has(label) ? await readText(tree, label) : '';
        yield await imageOf(tree, path, text, known, notes);
      }
    },
  };
}

async function imageOf(
  tree: SourceTree,
  path: string,
  text: string,
  names: ReadonlyMap<number, string>,
  notes: Notes,
): Promise<RawImage> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  // Rows are shares of the picture's sides: its header must be asked.
  const header = readPictureSize(await tree.bytes(path));
  const size = header && parseSize(header.width, header.height);
  if (!size) {
    notes.add('pictures whose size cannot be read were left out', path);
    const problem = 'rows of pictures whose size cannot be read';
    return lostAnnotations(
      path,
      problem,
      lines.map((line) => unreadable(names.get(classOfRow(line)), problem)),
    );
  }
  return {
    ...rawImage(tree, path, /(?:^|\/)images\/([^/]+)\//.exec(path)?.[1] ?? parseSplit(folderOf(path))),
    ...size,
    annotations: lines.map((line) => annotationOf(line, size, names)),
  };
}

const classOfRow = (line: string): number => Number(line.trim().split(/\s+/, 1)[0]);

function annotationOf(line: string, size: PictureSize, names: ReadonlyMap<number, string>): RawAnnotation {
  const [id = Number.NaN, ...shares] = line.trim().split(/\s+/).map(Number);
  const category = names.get(id);
  if (category === undefined) return unreadable('', 'rows whose class is not listed');
  if (shares.length === 4) return unreadable(category, 'rows with a box and no polygon');
  if (shares.some((share) => !(share >= -1 && share <= 2)))
    return unreadable(category, 'rows with coordinates outside of the picture');
  return {
    category,
    instance: null,
    mask: lazyMask('rows whose polygon', () => {
      const ring = shares.map((share, i) => share * (i % 2 === 0 ? size.width : size.height));
      return parsePolygons([ring], size);
    }),
  };
}
