import { area, intersectionArea, isEmpty, type Mask, merge, union } from '@/lib/core/mask';
import { groupBy } from '@/lib/core/quality/group-by';
import { type LabelFlag, labelFlags } from '@/lib/core/schema/types';
import {
  type DatasetImage,
  type DrawnLabel,
  instanceMasks,
  type MaskLabel,
  type ObjectLabel,
  type Provenance,
} from '../dataset';
import type { SourceImage } from '../format';
import type { ReadFacts } from './image-record';
import type { Notes } from './read-tree';
import type { Vocabulary } from './vocabulary';

export type AnnotationKind = 'object' | 'part' | 'attribute';

/** A mask with its label, as general formats store it. */
export interface Annotation extends Provenance {
  kind: AnnotationKind;
  /** Id of the class, part or attribute in the schema. */
  id: string;
  /** Number of the object, from 1. Attributes belong to the image and have 0. */
  instance: number;
  mask: Mask;
  flags?: readonly LabelFlag[];
  /** The outline was not drawn: it is the union of the parts. */
  isFromParts?: boolean;
}

/** The provenance of imported labels. */
export const importProvenance = { source: 'import', confidence: 1 } as const;

/**
 * Lists the masks of an image by object, each with its outline first, then the attribute masks. Every instance of a
 * part is an annotation of its own. With `unions`, an object without an outline is outlined by its parts.
 */
export function listAnnotations(image: DatasetImage, { unions = false } = {}): Annotation[] {
  if (!image.hasMasks) return [];
  const annotations: Annotation[] = [];
  const add = (kind: AnnotationKind, id: string, instance: number, label: Omit<MaskLabel, 'id'>) => {
    const { source, confidence, flags } = label;
    for (const mask of instanceMasks(label))
      annotations.push({ kind, id, instance, mask, source, confidence, ...(flags && { flags }) });
  };
  for (const object of image.objects) {
    const { className, instance, outline, parts } = object;
    if (outline && className !== null) add('object', className, instance, outline);
    else if (unions && className !== null) {
      const union = unionOfParts(object);
      if (union) annotations.push({ kind: 'object', id: className, instance, ...union, isFromParts: true });
    }
    for (const part of parts) add('part', part.id, instance, part);
  }
  for (const label of image.attributeMasks) add('attribute', label.id, 0, label);
  return annotations;
}

/** Returns the outline of an object that was not drawn: the union of its parts. Null without a pixel. */
export function unionOfParts({ parts }: ObjectLabel): DrawnLabel | null {
  const drawn = parts.filter(({ mask }) => !isEmpty(mask));
  const [first] = drawn;
  if (!first) return null;
  return {
    mask: merge(drawn.map(({ mask }) => mask)),
    source: first.source,
    confidence: Math.min(...drawn.map(({ confidence }) => confidence)),
  };
}

/** Returns the length of `listAnnotations(image)` without building the list. */
export const countAnnotations = (image: DatasetImage): number =>
  image.hasMasks
    ? countMasks(image.attributeMasks) +
      image.objects.reduce(
        (sum, { className, outline, parts }) =>
          sum + countMasks(parts) + (outline && className !== null ? 1 : 0),
        0,
      )
    : 0;

const countMasks = (labels: readonly MaskLabel[]): number =>
  labels.reduce((sum, { instances }) => sum + (instances?.length ?? 1), 0);

/** What a file says about an object besides its masks. */
export interface ObjectFacts {
  instance: number;
  className: string | null;
  absent: string[];
}

/**
 * Groups annotations by object; the inverse of `listAnnotations`. Objects that are missing from the facts are created
 * from the instance numbers. Several masks of the same part or attribute become its instances; several masks of the
 * same object are merged.
 */
export function groupByObject(
  annotations: readonly Annotation[],
  facts: readonly ObjectFacts[] = [],
  imageClass: string | null = null,
): { objects: ObjectLabel[]; attributeMasks: MaskLabel[] } {
  const objects = new Map<number, ObjectLabel>();
  for (const { instance, className, absent } of facts)
    if (!objects.has(instance))
      objects.set(instance, { className, instance, outline: null, parts: [], absent });
  const outlines = new Map<ObjectLabel, MaskLabel[]>();
  const attributeMasks: MaskLabel[] = [];
  for (const { kind, id, instance, mask, source, confidence, flags } of annotations) {
    const label = { id, mask, source, confidence, ...(flags && { flags }) };
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
    for (const { id: _, instances: __, ...outline } of mergeById(outlines.get(object) ?? []))
      object.outline = outline;
  }
  return {
    objects: [...objects.values()].sort((a, b) => a.instance - b.instance),
    attributeMasks: mergeById(attributeMasks),
  };
}

/**
 * Joins labels with the same id, such as the wheels of a car: each becomes an instance, the mask is their union, and
 * the lowest confidence counts. Masks of different sizes are not joined.
 */
export function mergeById(labels: readonly MaskLabel[]): MaskLabel[] {
  const groups = groupBy(labels, ({ id, mask }) => `${mask.width}×${mask.height} ${id}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const instances = same.flatMap(instanceMasks);
    const flags = labelFlags.filter((flag) => same.some((label) => label.flags?.includes(flag)));
    return [
      {
        ...first,
        confidence: same.reduce((least, { confidence }) => Math.min(least, confidence), 1),
        mask: merge(instances),
        instances,
        ...(flags.length > 0 && { flags }),
      },
    ];
  });
}

/** A mask with the name that the file gives it. */
export interface RawAnnotation {
  name: string;
  /** Null if the file does not assign masks to objects. */
  instance: number | null;
  mask: Mask;
  flags?: readonly LabelFlag[];
}

type Labels = Omit<SourceImage, 'path' | 'bytes' | 'name' | 'split' | 'width' | 'height'>;

/** Builds the labels of one image. Unknown names are reported and left out. */
export function assembleLabels(
  raw: readonly RawAnnotation[],
  facts: ReadFacts,
  vocabulary: Vocabulary,
  notes: Notes,
  where: string,
): Labels {
  const known = raw.flatMap(({ name, instance, mask, flags }) => {
    const meaning = vocabulary.resolve(name);
    if (meaning) return [{ ...importProvenance, ...meaning, instance, mask, ...(flags && { flags }) }];
    notes.add(`masks of "${name.slice(0, 80)}", which is no label of the dataset, were left out`, where);
    return [];
  });
  const annotations = known.map((annotation) => ({
    ...annotation,
    instance: annotation.kind === 'attribute' ? 0 : annotation.instance || null,
  }));
  const { objects: objectFacts, ...rest } = facts;
  const numbered = number(
    annotations,
    objectFacts.map(({ instance }) => instance),
    vocabulary,
  );
  const { objects, attributeMasks } = groupByObject(numbered, objectFacts, facts.className);
  // Without an outline, the parts determine the class.
  for (const object of objects)
    object.className ??= classOfParts(
      object.parts.map(({ id }) => id),
      vocabulary,
    );
  return { ...rest, className: facts.className ?? objects[0]?.className ?? null, objects, attributeMasks };
}

type UnnumberedAnnotation = Omit<Annotation, 'instance'> & { instance: number | null };

/** Numbers objects that have no number by size, the largest first. Parts go to the object they overlap most. */
function number(
  annotations: readonly UnnumberedAnnotation[],
  taken: readonly number[],
  vocabulary: Vocabulary,
): Annotation[] {
  const isNumbered = (annotation: UnnumberedAnnotation): annotation is Annotation =>
    annotation.instance !== null;
  const done: Annotation[] = annotations.filter(isNumbered);
  let last = Math.max(0, ...taken, ...done.map(({ instance }) => instance));
  const open = annotations.filter((annotation) => !isNumbered(annotation));
  const bySize = open.filter(({ kind }) => kind === 'object').sort((a, b) => area(b.mask) - area(a.mask));
  for (const annotation of bySize) done.push({ ...annotation, instance: ++last });
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

/** A shape with its group. Shapes with the same label and group are pieces of one mask. */
export interface GroupedShape {
  name: string;
  group: number | null;
  mask: Mask;
  flags?: readonly LabelFlag[];
}

/** Merges grouped shapes. In our own exports (`isOurs`) the group is the object number. */
export function mergeGroups(shapes: readonly GroupedShape[], isOurs: boolean): RawAnnotation[] {
  if (isOurs) return shapes.map(({ group, ...shape }) => ({ ...shape, instance: group ?? 0 }));
  const merged = new Map<string, RawAnnotation>();
  shapes.forEach(({ group, ...shape }, index) => {
    const key = group === null ? `${index}` : `group ${group} ${shape.name}`;
    const known = merged.get(key);
    merged.set(key, {
      ...shape,
      instance: null,
      mask: known ? union(known.mask, shape.mask) : shape.mask,
    });
  });
  return [...merged.values()];
}

/** Parses a group number. 0 and null mean no group. */
export const readGroup = (given: unknown): number | null =>
  typeof given === 'number' && Number.isInteger(given) && given > 0 && given < 1e6 ? given : null;
