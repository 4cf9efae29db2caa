import { area, intersectionArea, type Mask, merge } from '@/lib/core/mask';
import type { DatasetSchema } from '@/lib/core/schema/types';
import type { ObjectLabel } from '../dataset';
import type { SourceImage } from '../format';
import type { AnnotationKind } from '../shared/annotations';
import { type Annotation, groupByObject, importProvenance } from '../shared/annotations';
import { cleanCategory, type RawAnnotation, type RawImage } from '../shared/raw-source';
import { baseName, folderOf, type Notes } from '../shared/read-tree';
import type { CategoryMapping, Mapping } from './mapping';
import { normalizeName, splitOfFolders } from './names';

/** A source annotation in a mask: its category, and whether the mapping merged it with another one. */
export interface Origin {
  category: string;
  isMerged?: true;
}

export interface SkippedAnnotation {
  category: string;
  reason: string;
}

/** An image with labels whose masks know the annotations that they were made of. */
export interface MappedImage extends SourceImage {
  origins: ReadonlyMap<Mask, readonly Origin[]>;
  skipped: readonly SkippedAnnotation[];
}

export interface MappingContext {
  mapping: Mapping;
  /** The schema that the mapping leads to. */
  schema: DatasetSchema;
  /** Splits by the paths and stems in list files, if the mapping uses them. */
  lists: ReadonlyMap<string, string>;
}

/** A label on its way: an annotation, or several pieces of one. */
interface Piece extends Omit<Annotation, 'instance' | 'kind'> {
  kind: AnnotationKind | 'ignore';
  instance: number | null;
  /** Place among the instances of its part. */
  order: number;
  /** Pieces with the same key are one mask. */
  key: string | null;
  mergesInObject: boolean;
  origins: Origin[];
}

export const SKIPPED_BY_MAPPING = 'the mapping skips the category';

/** Translates the annotations of images by a mapping. */
export class MappingApplier {
  readonly #entries: ReadonlyMap<string, CategoryMapping>;
  readonly #stuff: ReadonlySet<string>;
  readonly #partClasses: ReadonlyMap<string, readonly string[]>;
  readonly #classNames: ReadonlyMap<string, string>;

  constructor(private readonly context: MappingContext) {
    const { mapping, schema } = context;
    this.#entries = new Map(mapping.categories.map((entry) => [entry.source, entry]));
    this.#stuff = new Set(schema.classes.flatMap(({ id, kind }) => (kind === 'stuff' ? [id] : [])));
    this.#partClasses = new Map(schema.parts.map(({ id, classes }) => [id, classes]));
    this.#classNames = new Map(
      schema.classes.flatMap(({ id, name }) => [
        [normalizeName(name), id],
        [normalizeName(id), id],
      ]),
    );
  }

  /** Returns null for annotations without an image that can be imported. */
  async image(raw: RawImage, notes: Notes): Promise<MappedImage> {
    const skipped: SkippedAnnotation[] = [];
    const pieces = joinPieces(await this.#pieces(raw, notes, skipped));
    const told = raw.facts.objects.map(({ instance, className, absent }) => ({
      instance,
      className: className === null ? null : (this.#classOf(className) ?? className),
      absent: absent.map((id) => this.#partOf(id) ?? id),
    }));
    const stated = this.#statedClass(raw);
    const taken = told.map(({ instance }) => instance);
    const labels = this.#group(this.#number(pieces, taken), told, stated);
    const { objects: _, attributes, ...facts } = raw.facts;
    const main = largest(labels.objects.filter((object) => this.#canBeMain(object)));
    return {
      ...facts,
      path: raw.path,
      name: raw.name,
      bytes: raw.bytes,
      width: raw.width,
      height: raw.height,
      split: this.#split(raw),
      className: this.#imageClass(raw, stated, main?.className ?? null),
      attributes: this.#attributes(raw, attributes),
      ...labels,
      skipped,
    };
  }

  async #pieces(raw: RawImage, notes: Notes, skipped: SkippedAnnotation[]): Promise<Piece[]> {
    const pieces: Piece[] = [];
    const masks = new Set<Mask>();
    const skip = ({ category }: RawAnnotation, reason: string) => {
      skipped.push({ category, reason });
    };
    for (const given of raw.annotations) {
      const annotation = { ...given, category: cleanCategory(given.category) };
      const { category, problem = raw.problem, where = raw.where } = annotation;
      const entry = this.#entries.get(category) ?? (isIgnoredRegion(annotation) ? IGNORED : undefined);
      if (problem !== undefined) {
        // An image that cannot be imported has one note, and not one for each annotation.
        if (raw.problem === undefined) notes.add(`${problem} were left out`, where);
        skip(annotation, problem);
      } else if (!entry) {
        const name = category.slice(0, 80);
        notes.add(`masks of "${name}", which is not a label of the dataset, were left out`, where);
        skip(annotation, 'the mapping does not list the category');
      } else if (entry.to === 'skip') skip(annotation, SKIPPED_BY_MAPPING);
      else
        try {
          const mask = await annotation.mask();
          // Origins are looked up by mask, so that two annotations cannot share one.
          pieces.push(this.#piece(annotation, entry, masks.has(mask) ? { ...mask } : mask));
          masks.add(mask);
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'annotations that cannot be read';
          notes.add(`${reason} were left out`, where);
          skip(annotation, reason);
        }
    }
    return pieces;
  }

  #piece(annotation: RawAnnotation, entry: CategoryMapping, mask: Mask): Piece {
    const { category, instance, group, flags = [], confidence } = annotation;
    const isPart = entry.to === 'part';
    const piece: Piece = {
      ...importProvenance,
      ...(confidence !== undefined && { confidence }),
      kind: 'object',
      id: 'name' in entry ? entry.name : '',
      instance: instance || null,
      mask,
      order: (isPart && entry.instance) || 0,
      key: null,
      mergesInObject: isPart && entry.merge === true,
      origins: [{ category }],
      ...(flags.length > 0 && { flags }),
    };
    if (group !== undefined && group !== null && this.context.mapping.groups === 'pieces')
      piece.key = `${group} ${category}`;
    if (isPart) return { ...piece, kind: 'part' };
    if (entry.to === 'attribute') return { ...piece, kind: 'attribute', instance: 0 };
    if (entry.to === 'ignore') return { ...piece, kind: 'ignore', instance: null, flags: ['crowd'] };
    if (entry.to === 'crowd') return { ...piece, flags: [...new Set([...flags, 'crowd' as const])] };
    return piece;
  }

  /**
   * Numbers objects that have no number: things by size, the largest first, then crowds, stuff and regions to ignore.
   * Parts go to the object of their class that they overlap most.
   */
  #number(pieces: readonly Piece[], taken: readonly number[]): (Piece & { instance: number })[] {
    type Numbered = Piece & { instance: number };
    const given = withoutSharedNumbers(pieces);
    const done = given.filter((piece): piece is Numbered => piece.instance !== null);
    let last = done.reduce(
      (most, { instance }) => Math.max(most, instance),
      taken.reduce((most, instance) => Math.max(most, instance), 0),
    );
    const open = given.filter(({ instance }) => instance === null);
    const rank = (piece: Piece) =>
      piece.kind === 'ignore' ? 3 : this.#stuff.has(piece.id) ? 2 : piece.flags?.includes('crowd') ? 1 : 0;
    const objects = open
      .filter(({ kind }) => kind === 'object' || kind === 'ignore')
      .map((piece) => ({ piece, rank: rank(piece), size: area(piece.mask) }))
      .sort((a, b) => a.rank - b.rank || b.size - a.size);
    // A part without an outline of its object makes an object of its own, before crowds and stuff.
    for (const { piece, rank } of objects) if (rank === 0) done.push({ ...piece, instance: ++last });
    const candidates = done.filter(({ kind, flags }) => kind === 'object' && !flags?.includes('crowd'));
    const parts = done.filter(({ kind }) => kind === 'part');
    for (const part of open.filter(({ kind }) => kind === 'part')) {
      const classes = this.#partClasses.get(part.id) ?? [];
      const home = candidates
        .filter(({ id }) => classes.includes(id))
        .map(({ instance, mask }) => ({ instance, shared: sharedArea(mask, part.mask) }))
        .sort((a, b) => b.shared - a.shared)[0];
      const sibling = home ? undefined : parts.find(({ id }) => this.#sharesClass(id, classes));
      const placed = { ...part, instance: home?.instance ?? sibling?.instance ?? ++last };
      done.push(placed);
      parts.push(placed);
    }
    for (const { piece, rank } of objects) if (rank > 0) done.push({ ...piece, instance: ++last });
    return done;
  }

  #sharesClass(partId: string, classes: readonly string[]): boolean {
    return (this.#partClasses.get(partId) ?? []).some((id) => classes.includes(id));
  }

  #group(
    pieces: readonly (Piece & { instance: number })[],
    told: RawImage['facts']['objects'],
    imageClass: string | null,
  ): Pick<MappedImage, 'objects' | 'attributeMasks' | 'origins'> {
    const merged = mergeInObjects(pieces).sort((a, b) => a.order - b.order);
    const origins = new Map<Mask, Origin[]>();
    for (const { mask, origins: own } of merged) origins.set(mask, [...(origins.get(mask) ?? []), ...own]);
    const things = merged.flatMap(({ kind, id, instance, mask, source, confidence, flags }): Annotation[] =>
      kind === 'ignore' ? [] : [{ kind, id, instance, mask, source, confidence, ...(flags && { flags }) }],
    );
    const { objects, attributeMasks } = groupByObject(things, told, imageClass);
    for (const object of objects) object.className ??= this.#classOfParts(object);
    // Several outlines with the number of one object are one mask.
    for (const { instance, outline } of objects) {
      if (!outline || origins.has(outline.mask)) continue;
      const own = merged.filter((piece) => piece.kind === 'object' && piece.instance === instance);
      for (const { mask } of own) origins.delete(mask);
      origins.set(outline.mask, mergedOrigins(own));
    }
    const ignored = merged
      .filter(({ kind }) => kind === 'ignore')
      .map(({ instance, mask, source, confidence, flags }): ObjectLabel => {
        const outline = { mask, source, confidence, ...(flags && { flags }) };
        return { className: null, instance, outline, parts: [], absent: [] };
      });
    return { objects: [...objects, ...ignored], attributeMasks, origins };
  }

  #classOfParts({ parts }: ObjectLabel): string | null {
    const lists = parts.flatMap(({ id }) => {
      const classes = this.#partClasses.get(id);
      return classes ? [classes] : [];
    });
    const shared = (lists[0] ?? []).filter((id) => lists.every((classes) => classes.includes(id)));
    return shared.length === 1 ? (shared[0] as string) : null;
  }

  #canBeMain({ className, outline }: ObjectLabel): boolean {
    return className !== null && !this.#stuff.has(className) && !outline?.flags?.includes('crowd');
  }

  #classOf(category: string): string | null {
    const entry = this.#entries.get(cleanCategory(category));
    return entry?.to === 'class' ? entry.name : null;
  }

  #partOf(category: string): string | null {
    const entry = this.#entries.get(cleanCategory(category));
    return entry?.to === 'part' ? entry.name : null;
  }

  /** The class that the label files state for the image. */
  #statedClass({ facts, tags }: RawImage): string | null {
    const { className } = facts;
    if (className !== null) return this.#classOf(className) ?? className;
    for (const tag of tags) {
      const found = this.#classOf(tag) ?? this.#classNames.get(normalizeName(tag));
      if (found !== undefined && found !== null) return found;
    }
    return null;
  }

  #imageClass(raw: RawImage, stated: string | null, main: string | null): string | null {
    const rule = this.context.mapping.class;
    const named = (text: string | undefined) =>
      text === undefined || text === ''
        ? null
        : (this.#classOf(text) ?? this.#classNames.get(normalizeName(text)) ?? text);
    if (rule.from === 'constant') return rule.name;
    if (rule.from === 'largest-object') return main;
    if (rule.from === 'folder') return named(baseName(folderOf(raw.path))) ?? main;
    if (rule.from === 'field') return named(raw.fields[rule.field] ?? raw.facts.columns[rule.field]) ?? main;
    return stated ?? main;
  }

  #split({ path, split, fields, facts }: RawImage): string | null {
    const rule = this.context.mapping.split;
    if (rule.from === 'none') return null;
    if (rule.from === 'constant') return rule.name;
    if (rule.from === 'field') return (fields[rule.field] ?? facts.columns[rule.field]) || null;
    if (rule.from === 'lists') {
      const { lists } = this.context;
      const name = baseName(path);
      return lists.get(path) ?? lists.get(name) ?? lists.get(name.replace(/\.[^.]+$/, '')) ?? null;
    }
    if (rule.from === 'labels') return split ?? splitOfFolders(path);
    for (const folder of path.split('/').slice(0, -1).reverse()) {
      // A folder can be called "constructor".
      if (Object.hasOwn(rule.names, folder)) return rule.names[folder] ?? null;
    }
    return null;
  }

  /** Attributes that the files state, and tags that name an attribute of the schema. */
  #attributes({ tags }: RawImage, stated: SourceImage['attributes']): SourceImage['attributes'] {
    const known = this.context.schema.attributes.map(({ id }) => id);
    const named = tags.flatMap((tag) => {
      const entry = this.#entries.get(tag);
      const id = entry?.to === 'attribute' ? entry.name : tag;
      return known.includes(id) ? [id] : [];
    });
    if (named.length === 0) return stated;
    const present = [...new Set([...(stated?.present ?? []), ...named])];
    return { ...importProvenance, present: known.filter((id) => present.includes(id)) };
  }
}

/**
 * Outlines of several classes that have one number are objects of their own: the first keeps the number. Otherwise all
 * but one of them would be lost, for example where a mapping turns the parts of an object into objects.
 */
function withoutSharedNumbers(pieces: readonly Piece[]): Piece[] {
  const owners = new Map<number, string>();
  return pieces.map((piece) => {
    const { kind, id, instance, mask, flags } = piece;
    if (kind !== 'object' || instance === null) return piece;
    const key = `${mask.width}×${mask.height} ${flags?.includes('crowd') === true} ${id}`;
    const owner = owners.get(instance) ?? key;
    owners.set(instance, owner);
    return owner === key ? piece : { ...piece, instance: null };
  });
}

/** The object with the largest mask; the first of several. */
function largest(objects: readonly ObjectLabel[]): ObjectLabel | undefined {
  const [first] = objects;
  if (objects.length < 2) return first;
  const sizeOf = ({ outline, parts }: ObjectLabel) =>
    outline ? area(outline.mask) : parts.reduce((sum, { mask }) => sum + area(mask), 0);
  let best = { object: first, size: first ? sizeOf(first) : 0 };
  for (const object of objects.slice(1)) {
    const size = sizeOf(object);
    if (size > best.size) best = { object, size };
  }
  return best.object;
}

/** A region of a layout with a fixed meaning that has no class. */
const isIgnoredRegion = ({ category, flags }: RawAnnotation): boolean =>
  category === '' && flags?.includes('crowd') === true;
const IGNORED: CategoryMapping = { source: '', to: 'ignore' };

const sharedArea = (a: Mask, b: Mask): number =>
  a.width === b.width && a.height === b.height ? intersectionArea(a, b) : 0;

/** Joins pieces of one mask, such as the polygons of a group. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  return joined(pieces, ({ key, mask }) => key && `${mask.width}×${mask.height} ${key}`);
}

/** Joins all annotations of a part within an object, where the mapping says so. */
const mergeInObjects = (pieces: readonly (Piece & { instance: number })[]) =>
  joined(pieces, ({ mergesInObject, instance, id, mask }) =>
    mergesInObject ? `${mask.width}×${mask.height} ${instance} ${id}` : null,
  );

function joined<T extends Piece>(pieces: readonly T[], keyOf: (piece: T) => string | null): T[] {
  const groups = new Map<string, T[]>();
  const order: T[][] = [];
  for (const piece of pieces) {
    const key = keyOf(piece);
    const known = key === null ? undefined : groups.get(key);
    if (known) {
      known.push(piece);
      continue;
    }
    const group = [piece];
    order.push(group);
    if (key !== null) groups.set(key, group);
  }
  return order.map((group) => {
    const [first] = group as [T];
    if (group.length === 1) return first;
    return {
      ...first,
      mask: merge(group.map(({ mask }) => mask)),
      confidence: Math.min(...group.map(({ confidence }) => confidence)),
      origins: mergedOrigins(group),
    };
  });
}

/** The first annotation is written, the others are merged into it. */
const mergedOrigins = (pieces: readonly Piece[]): Origin[] =>
  pieces
    .flatMap(({ origins }) => origins)
    .map(({ category }, index) => (index === 0 ? { category } : { category, isMerged: true }));
