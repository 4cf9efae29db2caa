import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { type Annotation, groupByObject, importProvenance } from '../shared/annotations';
import { parseFacts } from '../shared/image-record';
import { sortLargestFirst } from '../shared/part-layers';
import { inferPairSchema, type NamedPart, type PairVocabulary } from '../shared/part-pairs';
import {
  asRecords,
  baseName,
  createSource,
  emptyImage,
  folderOf,
  isRecord,
  type Notes,
  pathSet,
  readJson,
  readText,
} from '../shared/read-tree';
import { parseSize } from '../shared/segmentation';
import { readSchemaFile } from '../shared/vocabulary';
import { maskReader } from './masks';
import { splitOfFolder } from './write';

/** An object, part or part of a part, as either release describes it. */
export interface AdeEntry {
  id: number;
  /** In the map of its level, where a file has numbers of the map only. */
  rank: number;
  level: number;
  name: string;
  /** Id of the entry that it is a part of; null if the file does not say. */
  parent: number | null;
  flags: LabelFlag[];
  hasOtherAttributes: boolean;
  /** Relative to the folder of the picture. */
  instanceMask: string | null;
  polygon: number[] | null;
  /** Of our own files. */
  instance: number | null;
  isDerived: boolean;
}

interface AdeFile {
  entries: AdeEntry[];
  size: { width: number; height: number } | null;
  facts: Record<string, unknown> | null;
}

const PICTURE = /\.jpg$/i;
const stemPath = (path: string): string => path.replace(PICTURE, '');

/** Pictures with a map of objects and a description. */
function picturesOf(tree: SourceTree): { path: string; file: string }[] {
  const paths = pathSet(tree);
  return tree.paths.flatMap((path) => {
    const stem = stemPath(path);
    if (!PICTURE.test(path) || !paths.has(`${stem}_seg.png`)) return [];
    const file = [`${stem}.json`, `${stem}_atr.txt`].find((each) => paths.has(each));
    return file === undefined ? [] : [{ path, file }];
  });
}

export async function detect(tree: SourceTree): Promise<Detection | null> {
  const pictures = picturesOf(tree);
  const [first] = pictures;
  if (!first) return null;
  return {
    certainty: 0.96,
    because: `${pictures.length} pictures have a map such as ${stemPath(first.path)}_seg.png and a description, as in ADE20K`,
  };
}

async function readFile(tree: SourceTree, path: string): Promise<AdeFile> {
  if (path.endsWith('.txt'))
    return { entries: parseAttributeFile(await readText(tree, path)), size: null, facts: null };
  const given = await readJson(tree, path);
  const annotation = isRecord(given) && isRecord(given.annotation) ? given.annotation : null;
  if (!annotation) throw new Error(`${path} has no annotation`);
  const [height, width] = Array.isArray(annotation.imsize) ? annotation.imsize : [];
  return {
    entries: asRecords(annotation.object).flatMap((row) => parseObject(row) ?? []),
    size: parseSize(width, height),
    facts: isRecord(annotation.tessera) ? annotation.tessera : null,
  };
}

/** The first of the synonyms: "car, auto, automobile" is a car. */
const firstName = (names: string): string => (names.split(',')[0] ?? '').trim();

function parseObject(row: Record<string, unknown>): AdeEntry | null {
  const name = typeof row.name === 'string' && row.name !== '' ? row.name : row.raw_name;
  const parts = isRecord(row.parts) ? row.parts : {};
  const level = Number(parts.part_level ?? 0);
  if (typeof name !== 'string' || !Number.isInteger(Number(row.id)) || ![0, 1, 2].includes(level))
    return null;
  const given = typeof row.attributes === 'string' ? [row.attributes] : row.attributes;
  const attributes = Array.isArray(given) ? given.map(String).filter((each) => each !== '') : [];
  const flags = labelFlags.filter((flag) =>
    flag === 'occluded' ? row.occluded === 'yes' : attributes.includes(flag),
  );
  return {
    id: Number(row.id),
    rank: Number(row.id),
    level,
    name: firstName(name),
    parent: typeof parts.ispartof === 'number' ? parts.ispartof : null,
    flags,
    hasOtherAttributes: attributes.some((each) => !(labelFlags as readonly string[]).includes(each)),
    instanceMask: typeof row.instance_mask === 'string' ? row.instance_mask : null,
    polygon: polygonOf(row.polygon),
    instance: typeof row.instance === 'number' ? row.instance : null,
    isDerived: row.derived === true,
  };
}

function polygonOf(given: unknown): number[] | null {
  if (!isRecord(given) || !Array.isArray(given.x) || !Array.isArray(given.y)) return null;
  const { x, y } = given as { x: unknown[]; y: unknown[] };
  if (x.length < 3 || x.length !== y.length) return null;
  return x.flatMap((value, i) => [Number(value), Number(y[i])]);
}

/** The release of 2016: number # level # occluded # name # raw name # "attributes". */
function parseAttributeFile(text: string): AdeEntry[] {
  return text.split(/\r?\n/).flatMap((line): AdeEntry[] => {
    const columns = line.split('#').map((column) => column.trim());
    const [id = '', level = '', occluded = '', name = '', raw = '', attributes = ''] = columns;
    if (columns.length < 5 || !/^\d+$/.test(id) || !/^[0-2]$/.test(level)) return [];
    const words = attributes.replaceAll('"', '').trim();
    return [
      {
        id: Number(id),
        rank: Number(id),
        level: Number(level),
        name: firstName(name || raw),
        parent: null,
        flags: occluded === '1' ? ['occluded'] : [],
        hasOtherAttributes: words !== '',
        instanceMask: null,
        polygon: null,
        instance: null,
        isDerived: false,
      },
    ];
  });
}

/** Names of regions without instances in the benchmarks of ADE20K. */
const STUFF = new Set(
  'sky wall floor ceiling road grass sidewalk earth mountain water sea field rock sand path runway river land hill'.split(
    ' ',
  ),
);

/** The most frequent names that a schema can hold. The release has 3,688. */
const MAX_NAMES = 200;

interface Names {
  vocabulary: PairVocabulary | null;
  schema: PairVocabulary['schema'];
}

/** Reads all descriptions once. Rare names that a schema cannot hold are left out and noted with each image. */
async function readNames(tree: SourceTree, files: readonly { path: string; file: string }[]): Promise<Names> {
  const own = await readSchemaFile(tree);
  if (own) return { vocabulary: null, schema: own };
  const classes = new Map<string, number>();
  const parts = new Map<string, { part: NamedPart; count: number }>();
  const withParts = new Set<string>();
  const paths = pathSet(tree);
  for (const { path, file } of files) {
    const entries = await readFile(tree, file)
      .then(async (found) =>
        file.endsWith('.txt')
          ? (await maskReader(tree, paths, path, found.entries, null)).linked
          : found.entries,
      )
      .catch(() => []);
    const resolve = parentsOf(entries);
    for (const entry of entries) {
      if (entry.level === 0) {
        classes.set(entry.name, (classes.get(entry.name) ?? 0) + 1);
        continue;
      }
      const part = partOf(entry, resolve);
      if (!part) continue;
      withParts.add(part.className);
      const key = `${part.className}/${part.parent ?? ''}/${part.name}`;
      const known = parts.get(key);
      parts.set(key, { part, count: (known?.count ?? 0) + 1 });
    }
  }
  const frequent = <T>(list: readonly [T, number][]) =>
    [...list].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const classNames = frequent([...classes]).slice(0, MAX_NAMES);
  const kept = new Set<string>();
  const chosen: NamedPart[] = [];
  for (const part of frequent(
    [...parts.values()].map(({ part, count }) => [part, count] as [NamedPart, number]),
  )) {
    const key = part.parent === undefined ? part.name : `${part.parent}:${part.name}`;
    const needed = [key, ...(part.parent === undefined ? [] : [part.parent])].filter(
      (each) => !kept.has(each),
    );
    if (kept.size + needed.length > MAX_NAMES) continue;
    for (const each of needed) kept.add(each);
    if (part.parent !== undefined)
      chosen.push({ className: part.className, name: part.parent, isNumbered: true });
    chosen.push({ ...part, isNumbered: true });
  }
  const vocabulary = inferPairSchema(
    'ADE20K',
    classNames.map((name) => ({ name, isStuff: STUFF.has(name) && !withParts.has(name) })),
    chosen,
  );
  return { vocabulary, schema: vocabulary.schema };
}

type Resolve = (entry: AdeEntry) => { object: AdeEntry; parent: AdeEntry | null } | null;

/** Follows the links to the object; files can link in circles. */
function parentsOf(entries: readonly AdeEntry[]): Resolve {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return (entry) => {
    const parent = entry.parent === null ? undefined : byId.get(entry.parent);
    if (!parent || parent === entry) return null;
    if (parent.level === 0) return { object: parent, parent: null };
    const object = parent.parent === null ? undefined : byId.get(parent.parent);
    return object?.level === 0 ? { object, parent } : null;
  };
}

function partOf(entry: AdeEntry, resolve: Resolve): NamedPart | null {
  const found = resolve(entry);
  if (!found) return null;
  const { object, parent } = found;
  return {
    className: object.name,
    name: entry.name,
    ...(entry.level === 2 && parent && { parent: parent.name }),
  };
}

export async function read(tree: SourceTree): Promise<Source> {
  const pictures = picturesOf(tree);
  const names = await readNames(tree, pictures);
  const paths = pathSet(tree);
  return createSource(
    names.schema,
    pictures,
    ({ path }) => path,
    async ({ path, file }, notes) => {
      const described = await readFile(tree, file);
      return readImage({ tree, paths, names, notes }, path, described);
    },
  );
}

interface Reading {
  tree: SourceTree;
  paths: ReadonlySet<string>;
  names: Names;
  notes: Notes;
}

async function readImage(reading: Reading, path: string, file: AdeFile): Promise<SourceImage> {
  const { tree, paths, names, notes } = reading;
  const masks = await maskReader(tree, paths, path, file.entries, file.size);
  const isOwn = file.facts !== null && names.vocabulary === null;
  const whole = masks.linked.filter(({ level }) => level === 0);
  const numbers = new Map(whole.map((entry, i) => [entry.id, (isOwn ? entry.instance : null) ?? i + 1]));
  const resolve = parentsOf(masks.linked);
  const things: Annotation[] = [];
  for (const entry of masks.linked) {
    const isObject = entry.level === 0;
    const found = isObject ? { object: entry, parent: null } : resolve(entry);
    if (entry.hasOtherAttributes) notes.add('objects have attributes, which were left out', path);
    const id = found && idOf(entry, found, names);
    const instance = found && numbers.get(found.object.id);
    if (!found || id === undefined || instance === undefined || instance === null) {
      notes.add(
        isObject
          ? `objects "${entry.name.slice(0, 40)}" were left out, as a schema cannot hold all names`
          : `parts "${entry.name.slice(0, 40)}" without an object, or of a name that the schema has not, were left out`,
        path,
      );
      continue;
    }
    if (entry.isDerived) continue;
    const mask = await masks.maskOf(entry);
    if (!mask) {
      notes.add('objects and parts without pixels were left out', path);
      continue;
    }
    const flags = entry.flags.length > 0 ? { flags: entry.flags } : {};
    things.push({
      ...importProvenance,
      kind: isObject ? 'object' : 'part',
      id: id as string,
      instance,
      mask,
      ...flags,
    });
  }
  const { objects: described, ...facts } = parseFacts(file.facts);
  const grouped = groupByObject(things, described, facts.className);
  const sorted = isOwn ? grouped.objects : sortLargestFirst(grouped.objects);
  const split = file.facts && typeof file.facts.split === 'string' ? file.facts.split : splitOf(path);
  const name = file.facts && typeof file.facts.name === 'string' ? file.facts.name : baseName(path);
  return {
    ...emptyImage(tree, path, split),
    name: name.slice(0, 200),
    width: masks.size.width,
    height: masks.size.height,
    ...facts,
    className: facts.className ?? sorted.find(({ className }) => className !== null)?.className ?? null,
    objects: sorted,
  };
}

function idOf(
  entry: AdeEntry,
  { object, parent }: { object: AdeEntry; parent: AdeEntry | null },
  { vocabulary, schema }: Names,
): string | undefined {
  if (!vocabulary) {
    const list = entry.level === 0 ? schema.classes : schema.parts;
    return list.find(({ id }) => id === entry.name)?.id;
  }
  if (entry.level === 0) return vocabulary.classId(entry.name);
  return vocabulary.partId({
    className: object.name,
    name: entry.name,
    ...(entry.level === 2 && parent && { parent: parent.name }),
  });
}

/** "images/ADE/training/urban/street" → "train". */
const splitOf = (path: string): string | null =>
  folderOf(path)
    .split('/')
    .map(splitOfFolder)
    .find((split) => split !== null) ?? null;
