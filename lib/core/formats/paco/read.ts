import { formatCount } from '@/lib/core/format';
import { groupBy } from '@/lib/core/quality/group-by';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import { asCoco, type CocoDocument, candidates, keyOf } from '../coco/read';
import type { Detection, Source, SourceImage, SourceTree } from '../format';
import { cleanName, toSchemaId } from '../mapping/schema';
import { type Annotation, groupByObject, importProvenance } from '../shared/annotations';
import { parseFacts } from '../shared/image-record';
import { sortLargestFirst } from '../shared/part-layers';
import { inferPairSchema, type NamedPart, type PairVocabulary, pairVocabulary } from '../shared/part-pairs';
import { asRecords, baseName, isRecord, Notes, PicturePaths, readJson, tryJson } from '../shared/read-tree';
import { describeMaskError, type PictureSize, parseSegmentation, parseSize } from '../shared/segmentation';
import { readSchemaFile } from '../shared/vocabulary';

type Row = Record<string, unknown>;

const MAX_DETECTION_FILES = 8;

/** Part categories are named "object:part", and every annotation names the one of its object. */
const isPaco = (document: CocoDocument | null): document is CocoDocument =>
  document?.annotations.some(({ obj_ann_id }) => typeof obj_ann_id === 'number') === true &&
  document.categories.some(({ supercategory }) => supercategory === 'OBJECT' || supercategory === 'PART');

const FILE = /(^|\/)paco_[^/]*\.json$/;
const ordered = (tree: SourceTree): string[] => {
  const all = candidates(tree);
  return [...all.filter((path) => FILE.test(path)), ...all.filter((path) => !FILE.test(path))];
};

export async function detect(tree: SourceTree): Promise<Detection | null> {
  for (const path of ordered(tree).slice(0, MAX_DETECTION_FILES)) {
    const document = asCoco(await tryJson(tree, path));
    // Without labels, the name and the list of part categories tell it from COCO.
    const isNamed = FILE.test(path) && document?.annotations.length === 0 && document.images.length > 0;
    if (!isPaco(document) && !(isNamed && document)) continue;
    return {
      certainty: 0.96,
      because: `${path} has ${formatCount(document.annotations.length, 'annotation')} with links to their objects (obj_ann_id), as in PACO`,
    };
  }
  return null;
}

/** "paco_lvis_v1_train.json" → "train". */
const splitOf = (path: string): string | null => /_([A-Za-z0-9-]+)\.json$/.exec(baseName(path))?.[1] ?? null;

export async function read(tree: SourceTree): Promise<Source> {
  const paths: string[] = [];
  const categories: Row[] = [];
  let attributes: Row = {};
  for (const path of ordered(tree)) {
    const parsed = await tryJson(tree, path);
    const document = asCoco(parsed);
    if (!document || !(isPaco(document) || FILE.test(path)) || !isRecord(parsed)) continue;
    paths.push(path);
    categories.push(...document.categories);
    attributes = parsed;
  }
  const [first] = paths;
  if (first === undefined) throw new Error('No JSON file has annotations with obj_ann_id, as PACO does.');
  const own = await readSchemaFile(tree);
  const vocabulary = own ? pairVocabulary(own) : inferVocabulary(first, categories, attributes);
  const notes = new Notes();
  return {
    schema: vocabulary.schema,
    notes: notes.list,
    async *images() {
      const pictures = new PicturePaths(tree);
      for (const path of paths) {
        const parsed = await readJson(tree, path);
        const document = asCoco(parsed);
        if (document && isRecord(parsed))
          yield* imagesOf({ tree, path, document, attributes: parsed, vocabulary, pictures, notes });
      }
    },
  };
}

/** The class, and the part if it is one. */
function parseName(name: unknown, supercategory: unknown): { className: string; part: string | null } | null {
  if (typeof name !== 'string' || name === '') return null;
  const at = supercategory === 'OBJECT' ? -1 : name.indexOf(':');
  return at < 0
    ? { className: name, part: null }
    : { className: name.slice(0, at), part: name.slice(at + 1) };
}

function inferVocabulary(source: string, categories: readonly Row[], document: Row): PairVocabulary {
  const names = categories.flatMap(({ name, supercategory }) => parseName(name, supercategory) ?? []);
  const parts = names.flatMap(({ className, part }): NamedPart[] =>
    part === null ? [] : [{ className, name: part, isNumbered: true }],
  );
  const vocabulary = inferPairSchema(
    source,
    names.map(({ className }) => ({ name: className })),
    parts,
  );
  return { ...vocabulary, schema: { ...vocabulary.schema, ...attributesOf(document) } };
}

/** The attributes by type, such as colour and material. */
function attributesOf(document: Row) {
  const names = attributeNames(document);
  const types = isRecord(document.attr_type_to_attr_idxs)
    ? Object.entries(document.attr_type_to_attr_idxs)
    : [];
  const seen = new Set<string>();
  const groups = types.flatMap(([type, ids]) => {
    const list = (Array.isArray(ids) ? ids : []).flatMap((id) => names.get(keyOf(id)) ?? []);
    const fresh = [...new Set(list)].filter((id) => !seen.has(id)).slice(0, 100);
    for (const id of fresh) seen.add(id);
    if (fresh.length === 0) return [];
    return [
      {
        id: toSchemaId(type),
        name: type,
        attributes: fresh,
        min: 0,
        max: fresh.length,
        exclusiveNone: false,
      },
    ];
  });
  return {
    attributeGroups: groups.slice(0, 100),
    attributes: groups
      .slice(0, 100)
      .flatMap(({ attributes }) => attributes)
      .slice(0, 200)
      .map((id) => ({ id, name: id, kind: 'whole-object' as const, definition: `The object is ${id}.` })),
  };
}

function attributeNames(document: Row): Map<string | null, string> {
  return new Map(
    asRecords(document.attributes).flatMap(({ id, name }) =>
      typeof name === 'string' && cleanName(name) !== '' ? [[keyOf(id), toSchemaId(name)] as const] : [],
    ),
  );
}

interface Reading {
  tree: SourceTree;
  path: string;
  document: CocoDocument;
  attributes: Row;
  vocabulary: PairVocabulary;
  pictures: PicturePaths;
  notes: Notes;
}

function* imagesOf(reading: Reading): Generator<SourceImage> {
  const { tree, path, document, pictures, notes } = reading;
  const split = splitOf(path);
  const byImage = groupBy(document.annotations, ({ image_id }) => keyOf(image_id));
  for (const image of document.images) {
    const name = image.file_name;
    const found = typeof name === 'string' ? pictures.find(name, split ?? '') : null;
    const size = parseSize(image.width, image.height);
    if (typeof name !== 'string' || found === null || size === null) {
      notes.add('images without a size, or whose picture is not there, were left out', String(name ?? path));
      continue;
    }
    const given = isRecord(image.tessera) ? image.tessera : null;
    yield {
      path: found,
      bytes: () => tree.bytes(found),
      name: typeof given?.name === 'string' ? given.name.slice(0, 200) : baseName(name),
      split,
      ...size,
      ...labelsOf(reading, byImage.get(keyOf(image.id)) ?? [], size, given, name),
    };
  }
}

function labelsOf(
  reading: Reading,
  rows: readonly Row[],
  size: PictureSize,
  given: Row | null,
  where: string,
) {
  const { objects: described, ...facts } = parseFacts(given);
  const names = new Map(
    reading.document.categories.map(({ id, name, supercategory }) => [
      keyOf(id),
      parseName(name, supercategory),
    ]),
  );
  const numbers = new Map<string | null, number>();
  for (const row of rows) {
    if (keyOf(row.id) !== keyOf(row.obj_ann_id)) continue;
    const own = given && typeof row.instance === 'number' ? row.instance : numbers.size + 1;
    numbers.set(keyOf(row.id), own);
  }
  const things = rows.flatMap((row) => annotationOf(reading, row, names, numbers, size, where) ?? []);
  const grouped = groupByObject(things, described, facts.className);
  if (given) return { ...facts, ...grouped };
  const objects = sortLargestFirst(grouped.objects);
  const attributes = attributesOfObject(reading, rows, where);
  return { ...facts, className: objects[0]?.className ?? null, objects, attributeMasks: [], attributes };
}

function annotationOf(
  { vocabulary, notes }: Reading,
  row: Row,
  names: ReadonlyMap<string | null, { className: string; part: string | null } | null>,
  numbers: ReadonlyMap<string | null, number>,
  size: PictureSize,
  where: string,
): Annotation | null {
  const name = names.get(keyOf(row.category_id));
  const instance = numbers.get(keyOf(row.obj_ann_id));
  if (!name || instance === undefined) {
    notes.add('annotations without a category, or whose object is not there, were left out', where);
    return null;
  }
  const isObject = keyOf(row.id) === keyOf(row.obj_ann_id);
  // The object of parts that were drawn alone.
  if (isObject && row.derived === 1) return null;
  const id = isObject
    ? vocabulary.classId(name.className)
    : vocabulary.partId({ className: name.className, name: name.part ?? '' });
  if (id === undefined) {
    notes.add(`masks of "${`${name.className}:${name.part ?? ''}`.slice(0, 80)}" were left out`, where);
    return null;
  }
  try {
    const mask = parseSegmentation(row.segmentation, size);
    const flags = labelFlags.filter((flag) => row[FLAG_FIELDS[flag]] === 1);
    return {
      ...importProvenance,
      kind: isObject ? 'object' : 'part',
      id,
      instance,
      mask,
      ...(flags.length > 0 && { flags }),
    };
  } catch (error) {
    notes.add(`annotations of which one ${describeMaskError(error)} were left out`, where);
    return null;
  }
}

const FLAG_FIELDS: Readonly<Record<LabelFlag, string>> = {
  crowd: 'iscrowd',
  occluded: 'occluded',
  truncated: 'truncated',
};

/** An image has the attributes of its largest object. Those of other objects and of parts have no place. */
function attributesOfObject({ attributes, notes }: Reading, rows: readonly Row[], where: string) {
  const names = attributeNames(attributes);
  const withAttributes = rows.filter(
    ({ attribute_ids }) => Array.isArray(attribute_ids) && attribute_ids.length > 0,
  );
  const isObject = (row: Row) => keyOf(row.id) === keyOf(row.obj_ann_id);
  const [main] = rows.filter(isObject).sort((a, b) => Number(b.area) - Number(a.area));
  if (withAttributes.some((row) => row !== main))
    notes.add('images have attributes of parts or of further objects, which were left out', where);
  const ids = main && withAttributes.includes(main) ? (main.attribute_ids as unknown[]) : null;
  return (
    ids && { ...importProvenance, present: [...new Set(ids.flatMap((id) => names.get(keyOf(id)) ?? []))] }
  );
}
