import type { StageKind } from '@/db/schema';
import { instanceMasks, type MaskLabel, type ObjectLabel } from '@/lib/core/formats/dataset';
import type { SourceImage } from '@/lib/core/formats/format';
import type { Origin, SkippedAnnotation } from '@/lib/core/formats/mapping';
import { mergeById } from '@/lib/core/formats/shared/annotations';
import { area, encodeCounts, intersectionArea, iou, type Mask, merge } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import {
  carryChoices,
  choicesFrom,
  type DatasetSchema,
  MAX_INSTANCES,
  newAttributes,
  STUFF_NUMBER,
  stuffClasses,
  validateAttributes,
  writeTarget,
} from '@/lib/core/schema';
import { type ClassIndex, indexClasses } from '@/lib/services/images/ingest/find-class';

/** A label to be created in the project. */
export interface NewLabel {
  stage: Exclude<StageKind, 'oracle'>;
  target: string;
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  /** The annotations that it was made from. */
  origins: readonly Origin[];
}

/** An image with the annotations that each mask was made from. */
type TrackedImage = SourceImage & { origins?: ReadonlyMap<Mask, readonly Origin[]> };

export interface Translated {
  className: string | null;
  labels: NewLabel[];
  /** Reasons for labels that do not fit the project's schema. */
  leftOut: string[];
  /** The annotations of these labels. */
  lost: SkippedAnnotation[];
  /** Other values that do not fit: a class, or an option of a form. */
  remarks: string[];
  /** Whether any label is a mask. Then the stored pixels must equal those that were annotated. */
  hasMasks: boolean;
}

/** The existing image of the project, if any. */
interface Place {
  className: string | null;
  objects: readonly KnownObject[];
}

/** Translates the labels of an image to the schema of a project. */
export class Translator {
  readonly #classes: ClassIndex;
  /** Ids. */
  readonly parts: ReadonlySet<string>;
  readonly #attributes: ReadonlyMap<string, string>;

  /** `source`: the schema of the imported labels. */
  constructor(
    private readonly schema: DatasetSchema,
    private readonly source: DatasetSchema,
  ) {
    this.#classes = indexClasses(schema);
    this.parts = new Set(schema.parts.map(({ id }) => id));
    this.#attributes = new Map(schema.attributes.map(({ id, kind }) => [id, kind]));
  }

  /** Returns the project's class for an image. */
  classOf(image: SourceImage): string | null {
    return this.#class(image.className, image.wnid);
  }

  image(image: TrackedImage, place?: Place): Translated {
    const origins: Origins = image.origins ?? new Map();
    const own = this.classOf(image);
    const found: Translated = {
      className: place ? place.className : own,
      labels: [],
      leftOut: [],
      lost: [],
      remarks: [],
      hasMasks: false,
    };
    if (image.className !== null && own === null)
      found.remarks.push(`class "${image.className}" is not in the project's schema`);
    if (own !== null && own !== found.className)
      found.remarks.push(`the image keeps its class "${found.className}" in the project`);
    this.#attributesOf(image, origins, found);
    // The class of the main object may only be given by the WordNet id of the image.
    const known = ({ className }: ObjectLabel) =>
      this.#class(className, className === image.className ? image.wnid : null);
    const objects = this.#numberStuff(
      numberObjects(
        image.objects.map((object) => ({ ...object, className: known(object) })),
        found.className,
        place?.objects,
      ),
    );
    for (const object of objects) this.#object(object, origins, found);
    found.hasMasks = found.labels.some(({ mask }) => mask !== null);
    return found;
  }

  /** Gives the first region of each stuff class the number under which workers are asked for it. */
  #numberStuff(objects: readonly ObjectLabel[]): ObjectLabel[] {
    const open = new Set(stuffClasses(this.schema).map(({ id }) => id));
    return objects.map((object) => {
      const { className, instance, outline } = object;
      const isRegion = instance > 1 && className !== null && !outline?.flags?.includes('crowd');
      return isRegion && open.delete(className) ? { ...object, instance: STUFF_NUMBER } : object;
    });
  }

  #class(name: string | null, wnid: string | null): string | null {
    const byName = name === null ? undefined : this.#classes.byName.get(name.toLowerCase());
    return byName ?? (wnid === null ? null : (this.#classes.byWnid.get(wnid) ?? null));
  }

  #attributesOf({ attributes, attributeMasks }: SourceImage, origins: Origins, found: Translated): void {
    if (attributes && this.schema.attributes.length > 0) {
      const strangers = attributes.present.filter((id) => !this.#attributes.has(id));
      for (const id of strangers) found.remarks.push(`attribute "${id}" is not in the project's schema`);
      this.#form(attributes.present, found);
    } else if (attributes) found.leftOut.push("the project's schema has no attributes");
    for (const label of mergeById(attributeMasks))
      if (this.#attributes.get(label.id) === 'localised')
        found.labels.push(drawn('part-mask', label.id, label, origins));
      else
        leaveOut(
          found,
          `attribute "${label.id}" is not localised in the project's schema`,
          originsOf(label, origins),
        );
  }

  /**
   * Attributes that the source never annotated are unknown, not absent, so an incomplete form stays open as a whole.
   */
  #form(present: readonly string[], found: Translated): void {
    const choices = carryChoices(this.source, this.schema, choicesFrom(this.source, present));
    const [missing] = newAttributes(this.source, this.schema);
    const [problem] = validateAttributes(this.schema, choices);
    if (missing !== undefined)
      found.leftOut.push(
        `the dataset does not state whether "${missing}" is present, so the form stays open`,
      );
    else if (problem) found.leftOut.push(`the form stays open: ${problem.message}`);
    else
      found.labels.push({
        stage: 'attributes',
        target: '',
        value: { kind: 'attributes', choices },
        mask: null,
        area: null,
        origins: [],
      });
  }

  #object(
    { className, instance, outline, parts, absent }: ObjectLabel,
    origins: Origins,
    found: Translated,
  ): void {
    const target = (id: string) => writeTarget({ id, instance, className });
    // A region to ignore has no class.
    const isIgnored = className === null && outline?.flags?.includes('crowd') && parts.length === 0;
    if (className === null && !isIgnored) {
      const reason = "the class of the object is not in the project's schema";
      for (const label of [...(outline ? [outline] : []), ...parts])
        leaveOut(found, reason, originsOf(label, origins));
      for (const _ of absent) leaveOut(found, reason, []);
      return;
    }
    if (outline) found.labels.push(drawn('object-mask', target(''), outline, origins));
    const taken = new Set<string>();
    for (const label of mergeById(parts)) {
      const { id } = label;
      const leave = (reason: string) => leaveOut(found, reason, originsOf(label, origins));
      if (!this.parts.has(id)) leave(`part "${id}" is not in the project's schema`);
      else if (taken.has(id)) leave(`an object has part "${id}" twice, with masks of different sizes`);
      else {
        taken.add(id);
        found.labels.push(drawn('part-mask', target(id), label, origins));
      }
    }
    for (const id of absent)
      if (this.parts.has(id) && !taken.has(id))
        found.labels.push({
          stage: 'part-mask',
          target: target(id),
          value: { kind: 'nothing' },
          mask: null,
          area: null,
          origins: [],
        });
      else found.leftOut.push(`part "${id}" is not in the project's schema`);
  }
}

type Origins = ReadonlyMap<Mask, readonly Origin[]>;

const originsOf = (label: Pick<MaskLabel, 'mask' | 'instances'>, origins: Origins): Origin[] =>
  instanceMasks(label).flatMap((mask) => origins.get(mask) ?? []);

function leaveOut(found: Translated, reason: string, origins: readonly Origin[]): void {
  found.leftOut.push(reason);
  for (const { category } of origins) found.lost.push({ category, reason });
}

function drawn(
  stage: 'object-mask' | 'part-mask',
  target: string,
  label: Omit<MaskLabel, 'id'>,
  origins: Origins,
): NewLabel {
  const { mask, instances, flags } = label;
  const size = [mask.height, mask.width] as const;
  const shapes = instanceMasks(label).map((each, index) => ({
    kind: 'bitmap' as const,
    op: 'add' as const,
    ...(index > 0 && { instance: index + 1 }),
    size: [...size] as [number, number],
    counts: encodeCounts(each),
  }));
  return {
    stage,
    target,
    value: {
      kind: 'mask',
      shapes,
      ...(instances && { instances: shapes.map(({ counts }) => counts) }),
      ...(flags && { flags: [...flags] }),
    },
    mask: encodeCounts(mask),
    area: area(mask),
    origins: originsOf(label, origins),
  };
}

/** An object for which the image already has items, with its masks so far. */
export interface KnownObject {
  className: string | null;
  instance: number;
  outline: Mask | null;
  parts: readonly Mask[];
}

/** Minimum overlap of two drawings of the same object. */
const MIN_OVERLAP = 0.5;

/**
 * Numbers the imported objects of an image. An object that is already drawn keeps its number, so that an image in two
 * label files gets no duplicates. Otherwise the first object of the image's class becomes the main object (1), and the
 * others are numbered from 2.
 */
function numberObjects(
  objects: readonly ObjectLabel[],
  className: string | null,
  known: readonly KnownObject[] = [],
): ObjectLabel[] {
  const alone = numbered(objects, className);
  if (known.length === 0) return alone;
  const found = matched(alone, known);
  let isFirstFree = !known.some(({ instance }) => instance === 1);
  // Stuff regions have numbers of their own, above those of objects.
  const numbers = known.flatMap(({ instance }) => (instance <= MAX_INSTANCES ? [instance] : []));
  let last = Math.max(1, ...numbers);
  const place = (object: ObjectLabel, at: number): number => {
    const same = found.get(at);
    if (same !== undefined) return same;
    if (!isFirstFree || className === null || object.className !== className) return ++last;
    isFirstFree = false;
    return 1;
  };
  return alone.map((object, at) => ({ ...object, instance: place(object, at) }));
}

function numbered(objects: readonly ObjectLabel[], className: string | null): ObjectLabel[] {
  // A region to ignore is never the main object, even of an image without class.
  const main = objects.findIndex(
    (object) => object.className === className && !object.outline?.flags?.includes('crowd'),
  );
  const ordered =
    main > 0 ? [objects[main] as ObjectLabel, ...objects.filter((_, i) => i !== main)] : objects;
  const isInOrder =
    main === 0 &&
    ordered.every(({ instance }, i) =>
      i === 0 ? instance === 1 : instance > (ordered[i - 1]?.instance ?? 0),
    );
  if (isInOrder) return [...ordered];
  const from = main < 0 ? 2 : 1;
  return ordered.map((object, index) => ({ ...object, instance: from + index }));
}

/** Matches imported objects to known ones, the most similar pairs first. */
function matched(objects: readonly ObjectLabel[], known: readonly KnownObject[]): Map<number, number> {
  const theirs = known.map((object) => ({ ...object, whole: whole(object.outline, object.parts) }));
  const pairs = objects.flatMap(({ className, instance, outline, parts }, at) => {
    const line = outline?.mask ?? null;
    const drawn = parts.map(({ mask }) => mask);
    const mine = { instance, outline: line, whole: whole(line, drawn) };
    return theirs
      .filter((their) => their.className === className)
      .map((their) => ({ at, instance: their.instance, likeness: likeness(mine, their) }))
      .filter((pair) => pair.likeness > MIN_OVERLAP);
  });
  pairs.sort((a, b) => b.likeness - a.likeness || a.at - b.at || a.instance - b.instance);
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { at, instance } of pairs) {
    if (found.has(at) || taken.has(instance)) continue;
    found.set(at, instance);
    taken.add(instance);
  }
  return found;
}

interface Drawn {
  instance: number;
  outline: Mask | null;
  whole: Mask | null;
}

/**
 * Similarity of two objects. Without an outline, parts cover less than the object, so it measures how much of the
 * smaller lies in the larger.
 */
function likeness(mine: Drawn, their: Drawn): number {
  if (!mine.whole || !their.whole) return mine.instance === their.instance ? MIN_OVERLAP + 1e-9 : 0;
  if (mine.outline && their.outline)
    return sameSize(mine.outline, their.outline) ? iou(mine.outline, their.outline) : 0;
  if (!sameSize(mine.whole, their.whole)) return 0;
  const smaller = Math.min(area(mine.whole), area(their.whole));
  return smaller === 0 ? 0 : intersectionArea(mine.whole, their.whole) / smaller;
}

function whole(outline: Mask | null, parts: readonly Mask[]): Mask | null {
  const [first] = parts;
  if (outline || !first) return outline;
  return merge(parts.filter((part) => sameSize(part, first)));
}

const sameSize = (a: Mask, b: Mask): boolean => a.width === b.width && a.height === b.height;
