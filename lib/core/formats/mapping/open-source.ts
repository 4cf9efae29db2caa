import { instanceMasks } from '../dataset';
import type { Format, Source, SourceImage, SourceTree } from '../format';
import { fieldsOf, type RawAnnotation, type RawImage, type RawSource } from '../shared/raw-source';
import { Notes, readText } from '../shared/read-tree';
import { createLabelTable, type LabelTable } from '../shared/vocabulary';
import { MappingApplier } from './apply';
import type { Mapping } from './mapping';
import { proposeMapping } from './propose';
import { schemaOfMapping } from './schema';
import { declaredStatistics } from './statistics';

/** Opens a dataset without giving its categories a meaning. Layouts of fixed meaning have a known vocabulary. */
export async function openSource(format: Format, tree: SourceTree): Promise<RawSource> {
  const { reader } = format;
  if (!reader) throw new Error(`${format.name} cannot be imported.`);
  return reader.open ? reader.open(tree) : rawOfSource(await reader.read(tree), format.name);
}

/** A reader that proposes the mapping itself, from the names in the label files. */
export async function readMapped(tree: SourceTree, open: (tree: SourceTree) => Promise<RawSource>) {
  const raw = await open(tree);
  const { mapping } = proposeMapping({
    statistics: declaredStatistics(raw.categories),
    known: raw.known,
    project: null,
    origin: raw.origin,
  });
  return applyToSource(raw, mapping, tree);
}

/** A source whose images have the labels of a mapping. */
export async function applyToSource(raw: RawSource, mapping: Mapping, tree: SourceTree): Promise<Source> {
  const schema = schemaOfMapping(mapping, raw.known?.schema ?? null, raw);
  const applier = new MappingApplier({ mapping, schema, lists: await readLists(mapping, tree) });
  return {
    schema,
    notes: raw.notes.list,
    async *images(): AsyncGenerator<SourceImage> {
      for await (const image of raw.images()) {
        const { origins: _, skipped: __, ...mapped } = await applier.image(image, raw.notes);
        if (image.problem === undefined) yield mapped;
      }
    },
  };
}

/** Reads the list files of a split rule: the split by path, name or stem. */
export async function readLists(mapping: Mapping, tree: SourceTree): Promise<Map<string, string>> {
  const lists = new Map<string, string>();
  if (mapping.split.from !== 'lists') return lists;
  for (const [split, given] of Object.entries(mapping.split.files)) {
    const path =
      tree.paths.find((each) => each === given) ?? tree.paths.find((each) => each.endsWith(`/${given}`));
    if (path === undefined) throw new Error(`The mapping uses the list ${given}, which does not exist.`);
    for (const line of (await readText(tree, path)).split(/\r?\n/)) {
      const entry = line.trim().split(/\s+/)[0]?.replace(/^\.\//, '') ?? '';
      if (entry === '') continue;
      const name = entry.slice(entry.lastIndexOf('/') + 1);
      for (const key of [entry, name, name.replace(/\.[^.]+$/, '')])
        if (!lists.has(key)) lists.set(key, split);
    }
  }
  return lists;
}

/** A dataset whose layout has a fixed meaning, as annotations with the ids of its schema as categories. */
function rawOfSource(source: Source, origin: string): RawSource {
  const table = createLabelTable(source.schema);
  const notes = new Notes(source.notes);
  return {
    origin,
    categories: table.labels.map(({ name, parent, kind }) => ({
      name,
      ...(parent !== '' && { parent, isPart: kind === 'part' }),
    })),
    known: { schema: source.schema, resolve: table.byName },
    notes,
    async *images() {
      for await (const image of source.images()) yield rawOfImage(image, table);
    },
  };
}

function rawOfImage(image: SourceImage, table: LabelTable): RawImage {
  const { className, objects, attributeMasks, attributes, path, name, bytes, split, width, height } = image;
  const nameOf = (kind: 'object' | 'part' | 'attribute', id: string) =>
    table.labels.find((label) => label.kind === kind && label.id === id)?.name ?? id;
  const annotations: RawAnnotation[] = [];
  for (const { className: own, instance, outline, parts } of objects) {
    if (outline)
      annotations.push({
        category: own === null ? '' : nameOf('object', own),
        instance,
        mask: () => outline.mask,
        confidence: outline.confidence,
        ...(outline.flags && { flags: outline.flags }),
      });
    for (const part of parts)
      for (const mask of instanceMasks(part))
        annotations.push({
          category: nameOf('part', part.id),
          instance,
          mask: () => mask,
          confidence: part.confidence,
          ...(part.flags && { flags: part.flags }),
        });
  }
  for (const label of attributeMasks)
    for (const mask of instanceMasks(label))
      annotations.push({
        category: nameOf('attribute', label.id),
        instance: 0,
        mask: () => mask,
        confidence: label.confidence,
      });
  return {
    path,
    name,
    where: path,
    bytes,
    split,
    width,
    height,
    facts: {
      className: className === null ? null : nameOf('object', className),
      wnid: image.wnid,
      groupKey: image.groupKey,
      columns: image.columns,
      attributes,
      hasMasks: image.hasMasks,
      objects: objects.map(({ instance, className: own, absent }) => ({
        instance,
        className: own === null ? null : nameOf('object', own),
        absent: absent.map((id) => nameOf('part', id)),
      })),
    },
    tags: [],
    fields: fieldsOf(image.columns),
    annotations,
  };
}
