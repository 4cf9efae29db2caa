import { area, intersectionArea, type Mask, merge, union } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import type { DatasetImage, MaskLabel, ObjectLabel, Provenance } from '../dataset';
import type { SourceImage } from '../format';
import type { ReadFacts } from './image-record';
import type { Notes } from './read-tree';
import type { Vocabulary } from './vocabulary';

export type AnnotationKind = 'object' | 'part' | 'attribute';

/** A mask with its meaning: what the general formats hold, one by one, as annotations. */
export interface Annotation extends Provenance {
  kind: AnnotationKind;
  /** Of the class, part or attribute in the schema. */
  id: string;
  /** The object it belongs to, from 1; 0 for an attribute, which belongs to the image. */
  instance: number;
  mask: Mask;
}

/** What a label that was brought in says about itself. */
export const importProvenance = { source: 'import', confidence: 1 } as const;

/** All masks of an image, object by object, the outline first; then the attributes. */
export function listAnnotations(image: DatasetImage): Annotation[] {
  if (!image.hasMasks) return [];
  const things: Annotation[] = [];
  const add = (kind: AnnotationKind, id: string, instance: number, label: Provenance & { mask: Mask }) =>
    things.push({
      kind,
      id,
      instance,
      mask: label.mask,
      source: label.source,
      confidence: label.confidence,
    });
  for (const { className, instance, outline, parts } of image.objects) {
    if (outline && className !== null) add('object', className, instance, outline);
    for (const part of parts) add('part', part.id, instance, part);
  }
  for (const label of image.attributeMasks) add('attribute', label.id, 0, label);
  return things;
}

/** How many `thingsOf` gives. */
export const countAnnotations = (image: DatasetImage): number =>
  image.hasMasks
    ? image.attributeMasks.length +
      image.objects.reduce(
        (sum, { className, outline, parts }) => sum + parts.length + (outline && className !== null ? 1 : 0),
        0,
      )
    : 0;

/** An object as a format tells it beside its masks. */
export interface ObjectFacts {
  instance: number;
  className: string | null;
  absent: string[];
}

/**
 * The way back from things to objects. Objects that nothing tells of come from the instances of the things; several masks
 * of one part of an object, of an object or of an attribute are one.
 */
export function groupByObject(
  things: readonly Annotation[],
  told: readonly ObjectFacts[] = [],
  imageClass: string | null = null,
): { objects: ObjectLabel[]; attributeMasks: MaskLabel[] } {
  const objects = new Map<number, ObjectLabel>();
  for (const { instance, className, absent } of told)
    if (!objects.has(instance))
      objects.set(instance, { className, instance, outline: null, parts: [], absent });
  const outlines = new Map<ObjectLabel, MaskLabel[]>();
  const attributeMasks: MaskLabel[] = [];
  for (const { kind, id, instance, mask, source, confidence } of things) {
    const label = { id, mask, source, confidence };
    if (kind === 'attribute') {
      attributeMasks.push(label);
      continue;
    }
    const object = objects.get(instance) ?? {
      className: instance === 1 ? imageClass : null,
      instance,
      outline: null,
      parts: [],
      absent: [],
    };
    objects.set(instance, object);
    if (kind === 'part') object.parts.push(label);
    else {
      object.className = id;
      const own = outlines.get(object);
      if (own) own.push(label);
      else outlines.set(object, [label]);
    }
  }
  for (const object of objects.values()) {
    object.parts = mergeById(object.parts);
    for (const { mask, source, confidence } of mergeById(outlines.get(object) ?? []))
      object.outline = { mask, source, confidence };
  }
  return {
    objects: [...objects.values()].sort((a, b) => a.instance - b.instance),
    attributeMasks: mergeById(attributeMasks),
  };
}

/**
 * Several annotations of one thing, such as the wheels of a car, are one label: all their pixels, no surer than the least
 * sure. Masks of different sizes cannot be put together and stay apart.
 */
export function mergeById(labels: readonly MaskLabel[]): MaskLabel[] {
  const groups = groupBy(labels, ({ id, mask }) => `${mask.width}×${mask.height} ${id}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    return [
      {
        ...first,
        confidence: same.reduce((least, { confidence }) => Math.min(least, confidence), 1),
        mask: merge(same.map(({ mask }) => mask)),
      },
    ];
  });
}

/** A mask as a file names it. */
export interface RawAnnotation {
  name: string;
  /** Null where the file does not say which masks belong to one object. */
  instance: number | null;
  mask: Mask;
}

type Labels = Omit<SourceImage, 'path' | 'bytes' | 'name' | 'split' | 'width' | 'height'>;

/** The labels of one image from what a file says about it. Names that mean nothing are noted and left out. */
export function assembleLabels(
  raw: readonly RawAnnotation[],
  facts: ReadFacts,
  vocabulary: Vocabulary,
  notes: Notes,
  where: string,
): Labels {
  const known = raw.flatMap(({ name, instance, mask }) => {
    const meaning = vocabulary.resolve(name);
    if (meaning) return [{ ...importProvenance, ...meaning, instance, mask }];
    notes.add(`masks of "${name.slice(0, 80)}", which is no label of the dataset, were left out`, where);
    return [];
  });
  const things = known.map((thing) =>
    thing.kind === 'attribute' ? { ...thing, instance: 0 } : { ...thing, instance: thing.instance || null },
  );
  const { told, ...rest } = facts;
  const numbered = number(
    things,
    told.map(({ instance }) => instance),
    vocabulary,
  );
  const { objects, attributeMasks } = groupByObject(numbered, told, facts.className);
  // Where only parts were drawn, they say what the object is.
  for (const object of objects)
    object.className ??= classOfParts(
      object.parts.map(({ id }) => id),
      vocabulary,
    );
  return { ...rest, className: facts.className ?? objects[0]?.className ?? null, objects, attributeMasks };
}

type UnnumberedAnnotation = Omit<Annotation, 'instance'> & { instance: number | null };

/** Objects that nobody numbered are numbered by size: the picture is of the largest. Parts go to the object they lie on. */
function number(
  things: readonly UnnumberedAnnotation[],
  taken: readonly number[],
  vocabulary: Vocabulary,
): Annotation[] {
  const isNumbered = (thing: UnnumberedAnnotation): thing is Annotation => thing.instance !== null;
  const done: Annotation[] = things.filter(isNumbered);
  let last = Math.max(0, ...taken, ...done.map(({ instance }) => instance));
  const open = things.filter((thing) => !isNumbered(thing));
  const bySize = open.filter(({ kind }) => kind === 'object').sort((a, b) => area(b.mask) - area(a.mask));
  for (const thing of bySize) done.push({ ...thing, instance: ++last });
  for (const part of open.filter(({ kind }) => kind === 'part')) {
    const classes = vocabulary.schema.parts.find(({ id }) => id === part.id)?.classes ?? [];
    const home = done
      .filter(({ kind, id }) => kind === 'object' && classes.includes(id))
      .map(({ instance, mask }) => ({ instance, shared: intersectionArea(mask, part.mask) }))
      .sort((a, b) => b.shared - a.shared)[0];
    const sibling = done.find(({ kind, id }) => kind === 'part' && sharesClass(vocabulary, id, classes));
    done.push({ ...part, instance: home?.instance ?? sibling?.instance ?? ++last });
  }
  return done;
}

const sharesClass = ({ schema }: Vocabulary, partId: string, classes: readonly string[]): boolean =>
  schema.parts.some(({ id, classes: its }) => id === partId && its.some((each) => classes.includes(each)));

function classOfParts(ids: readonly string[], { schema }: Vocabulary): string | null {
  const lists = schema.parts.filter(({ id }) => ids.includes(id)).map(({ classes }) => classes);
  const shared = (lists[0] ?? []).filter((id) => lists.every((classes) => classes.includes(id)));
  return shared.length === 1 ? (shared[0] as string) : null;
}

/** A shape that a tool put into a group; the shapes of one label in a group are pieces of one mask. */
export interface GroupedShape {
  name: string;
  group: number | null;
  mask: Mask;
}

/** `isOurs`: groups are then the numbers of objects; other tools use them for whatever belongs together. */
export function mergeGroups(shapes: readonly GroupedShape[], isOurs: boolean): RawAnnotation[] {
  if (isOurs) return shapes.map(({ name, group, mask }) => ({ name, instance: group ?? 0, mask }));
  const merged = new Map<string, RawAnnotation>();
  shapes.forEach(({ name, group, mask }, index) => {
    const key = group === null ? `${index}` : `group ${group} ${name}`;
    const known = merged.get(key);
    merged.set(key, { name, instance: null, mask: known ? union(known.mask, mask) : mask });
  });
  return [...merged.values()];
}

/** A group's number as files have it; 0 and null are "none". */
export const readGroup = (given: unknown): number | null =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 1e6 ? given : null;
