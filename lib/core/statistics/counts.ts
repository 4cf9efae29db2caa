import type { DatasetImage, ObjectLabel } from '@/lib/core/formats/dataset';
import { area } from '@/lib/core/mask';
import {
  type DatasetSchema,
  type LabelFlag,
  labelFlags,
  partsOfClass,
  type SchemaClass,
} from '@/lib/core/schema/types';
import { type Figure, figure, type MaskKind, noFigure, rounded } from './masks';

export interface ClassCounts {
  /** Null for images that have no class. */
  className: string | null;
  /** In the order of the version's splits. */
  bySplit: number[];
}

export interface FormCounts {
  className: string | null;
  split: string;
  /** Images whose form was answered. */
  n: number;
  /** In the order of the schema's attributes. */
  present: number[];
}

export interface PartCounts {
  part: string;
  className: string | null;
  split: string;
  /** Objects with at least one mask of the part. */
  present: number;
  /** Masks of the part, counting every instance. */
  instances: number;
  /** Objects where the part is marked as absent. */
  absent: number;
  /** Objects of a class with the part, without an answer. */
  notAsked: number;
}

/** Tallies by class and split. Its size depends on the schema, not on the images. */
export class Counts {
  readonly #schema: DatasetSchema;
  readonly #splits: readonly string[];
  readonly #attributeAt: ReadonlyMap<string, number>;
  readonly #classes = new Map<string | null, ClassCounts>();
  readonly #forms = new Map<string, FormCounts>();
  readonly #parts = new Map<string, PartCounts>();

  constructor(schema: DatasetSchema, splits: readonly string[]) {
    this.#schema = schema;
    this.#splits = splits;
    this.#attributeAt = new Map(schema.attributes.map(({ id }, index) => [id, index]));
    for (const { id } of schema.classes) this.#classOf(id);
  }

  add(image: DatasetImage): void {
    const at = this.#splits.indexOf(image.split);
    const counts = this.#classOf(image.className).bySplit;
    if (at >= 0) counts[at] = (counts[at] as number) + 1;
    if (image.attributes) this.#addForm(image, image.attributes.present);
    if (image.hasMasks)
      for (const object of objectsOf(image, this.#schema)) this.#addParts(image.split, object);
  }

  /** Classes of the schema first, then strangers, then images without class. */
  classCounts(): ClassCounts[] {
    return [...this.#classes.values()].sort(
      (a, b) => Number(a.className === null) - Number(b.className === null),
    );
  }

  formCounts(): FormCounts[] {
    return this.#ordered([...this.#forms.values()]);
  }

  partCounts(): PartCounts[] {
    const place = new Map(this.#schema.parts.map(({ id }, index) => [id, index]));
    const at = (part: string) => place.get(part) ?? place.size;
    return this.#ordered([...this.#parts.values()]).sort((a, b) => at(a.part) - at(b.part));
  }

  #ordered<T extends { className: string | null; split: string }>(rows: T[]): T[] {
    const place = new Map(this.classCounts().map(({ className }, index) => [className, index]));
    const at = ({ className }: T) => place.get(className) ?? place.size;
    return rows.sort(
      (a, b) => at(a) - at(b) || this.#splits.indexOf(a.split) - this.#splits.indexOf(b.split),
    );
  }

  #classOf(className: string | null): ClassCounts {
    return entry(this.#classes, className, () => ({ className, bySplit: this.#splits.map(() => 0) }));
  }

  #addForm({ className, split }: DatasetImage, present: readonly string[]): void {
    const counts = entry(this.#forms, JSON.stringify([className, split]), () => ({
      className,
      split,
      n: 0,
      present: this.#schema.attributes.map(() => 0),
    }));
    counts.n += 1;
    for (const id of new Set(present)) {
      const at = this.#attributeAt.get(id);
      if (at !== undefined) counts.present[at] = (counts.present[at] as number) + 1;
    }
  }

  #addParts(split: string, { className, parts, absent }: PartAnswers): void {
    const drawn = new Set(parts.map(({ id }) => id));
    const expected = className === null ? [] : partsOfClass(this.#schema, className).map(({ id }) => id);
    for (const part of new Set([...expected, ...drawn, ...absent])) {
      const counts = entry(this.#parts, JSON.stringify([part, className, split]), () => ({
        part,
        className,
        split,
        present: 0,
        instances: 0,
        absent: 0,
        notAsked: 0,
      }));
      for (const { id, instances } of parts) if (id === part) counts.instances += instances?.length ?? 1;
      if (drawn.has(part)) counts.present += 1;
      else if (absent.includes(part)) counts.absent += 1;
      else counts.notAsked += 1;
    }
  }
}

/** What is known about the parts of one object. */
interface PartAnswers {
  className: string | null;
  parts: readonly { id: string; instances?: readonly unknown[] }[];
  absent: readonly string[];
}

/** What an entry of `objects` is: an object, a region of a stuff class, or a crowd or ignore region. */
export function regionKind({ className, outline }: ObjectLabel, schema: Pick<DatasetSchema, 'classes'>) {
  if (outline?.flags?.includes('crowd')) return className === null ? 'ignore' : 'crowd';
  return schema.classes.some(({ id, kind }) => id === className && kind === 'stuff') ? 'stuff' : 'object';
}

/** Objects of an image. An image without objects counts as one object with unanswered parts. */
export function objectsOf(image: DatasetImage, schema: Pick<DatasetSchema, 'classes'>): PartAnswers[] {
  const objects = image.objects.filter((object) => regionKind(object, schema) === 'object');
  if (objects.length === 0) return [{ className: image.className, parts: [], absent: [] }];
  return objects.map(({ className, parts, absent }) => ({
    className: className ?? image.className,
    parts,
    absent,
  }));
}

export interface ObjectCounts {
  /** Null for objects without a class and regions to ignore. */
  className: string | null;
  split: string;
  /** Single objects; of a stuff class none. */
  objects: number;
  /** Crowd regions of the class, and without a class regions to ignore. */
  crowds: number;
}

export interface FlagCounts {
  kind: MaskKind;
  /** Id of the part or attribute; "" for the whole object. */
  id: string;
  flag: LabelFlag;
  labels: number;
}

export interface StuffCounts {
  className: string;
  /** Images with at least one region of the class. */
  images: number;
  /** Share of the pixels of all images with drawn labels. */
  share: Figure;
}

/** Objects and crowd regions by class, flags, and the area of stuff. */
export class RegionCounts {
  readonly #schema: DatasetSchema;
  readonly #objects = new Map<string, ObjectCounts>();
  readonly #flags = new Map<string, FlagCounts>();
  readonly #stuff: Map<string, { images: number; pixels: number }>;
  #pixels = 0;

  constructor(schema: DatasetSchema) {
    this.#schema = schema;
    const isStuff = ({ kind }: SchemaClass) => kind === 'stuff';
    this.#stuff = new Map(schema.classes.filter(isStuff).map(({ id }) => [id, { images: 0, pixels: 0 }]));
  }

  add(image: DatasetImage): void {
    for (const label of image.attributeMasks) this.#addFlags('attribute', label.id, label.flags);
    const inImage = new Set<string>();
    if (image.hasMasks && image.objects.length > 0) this.#pixels += image.width * image.height;
    for (const object of image.objects) {
      this.#addFlags('object', '', object.outline?.flags);
      for (const part of object.parts) this.#addFlags('part', part.id, part.flags);
      const kind = regionKind(object, this.#schema);
      const className = kind === 'ignore' ? null : (object.className ?? image.className);
      const stuff = kind === 'stuff' ? this.#stuff.get(object.className ?? '') : undefined;
      if (stuff) {
        if (!inImage.has(object.className ?? '')) stuff.images += 1;
        inImage.add(object.className ?? '');
        if (object.outline) stuff.pixels += area(object.outline.mask);
        continue;
      }
      const counts = entry(this.#objects, JSON.stringify([className, image.split]), () => ({
        className,
        split: image.split,
        objects: 0,
        crowds: 0,
      }));
      if (kind === 'object') counts.objects += 1;
      else counts.crowds += 1;
    }
  }

  /** In the order of the schema's classes; without class last. */
  objectCounts(splits: readonly string[]): ObjectCounts[] {
    const place = new Map(this.#schema.classes.map(({ id }, index) => [id as string | null, index]));
    const at = ({ className }: ObjectCounts) =>
      className === null ? Number.POSITIVE_INFINITY : (place.get(className) ?? place.size);
    return [...this.#objects.values()].sort(
      (a, b) => (at(a) === at(b) ? 0 : at(a) - at(b)) || splits.indexOf(a.split) - splits.indexOf(b.split),
    );
  }

  flagCounts(): FlagCounts[] {
    const kinds: readonly MaskKind[] = ['object', 'part', 'attribute'];
    return [...this.#flags.values()].sort(
      (a, b) =>
        kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
        (a.id < b.id ? -1 : a.id > b.id ? 1 : labelFlags.indexOf(a.flag) - labelFlags.indexOf(b.flag)),
    );
  }

  stuffCounts(): StuffCounts[] {
    return [...this.#stuff].map(([className, { images, pixels }]) => ({
      className,
      images,
      share:
        this.#pixels > 0 ? figure(rounded(pixels / this.#pixels)) : noFigure('No image has drawn labels.'),
    }));
  }

  #addFlags(kind: MaskKind, id: string, flags: readonly LabelFlag[] = []): void {
    for (const flag of flags)
      entry(this.#flags, JSON.stringify([kind, id, flag]), () => ({ kind, id, flag, labels: 0 })).labels += 1;
  }
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

export interface PartPairs {
  /** Objects with both parts, in schema order; the diagonal counts single parts. */
  together: number[][];
  /** Objects with answers for both parts, the denominator of `together`. */
  asked: number[][];
}

/** Which parts are seen together. */
export class PartPairCounts {
  readonly #at: ReadonlyMap<string, number>;
  readonly #together: number[][];
  readonly #asked: number[][];

  constructor(parts: readonly { id: string }[]) {
    this.#at = new Map(parts.map(({ id }, index) => [id, index]));
    this.#together = parts.map(() => parts.map(() => 0));
    this.#asked = parts.map(() => parts.map(() => 0));
  }

  add({ parts, absent }: PartAnswers): void {
    const drawn = this.#places(parts.map(({ id }) => id));
    countPairs(this.#together, drawn);
    countPairs(this.#asked, [...new Set([...drawn, ...this.#places(absent)])]);
  }

  result(): PartPairs {
    return { together: this.#together, asked: this.#asked };
  }

  #places(ids: readonly string[]): number[] {
    return [...new Set(ids)].flatMap((id) => this.#at.get(id) ?? []);
  }
}

function countPairs(counts: number[][], places: readonly number[]): void {
  for (const a of places) {
    const row = counts[a] as number[];
    for (const b of places) row[b] = (row[b] as number) + 1;
  }
}
