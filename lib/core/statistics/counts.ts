import type { DatasetImage } from '@/lib/core/formats/dataset';
import { type DatasetSchema, partsOfClass } from '@/lib/core/schema';

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
    if (image.hasMasks) for (const object of objectsOf(image)) this.#addParts(image.split, object);
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
        absent: 0,
        notAsked: 0,
      }));
      if (drawn.has(part)) counts.present += 1;
      else if (absent.includes(part)) counts.absent += 1;
      else counts.notAsked += 1;
    }
  }
}

/** What is known about the parts of one object. */
interface PartAnswers {
  className: string | null;
  parts: readonly { id: string }[];
  absent: readonly string[];
}

/** Objects of an image. An image without objects counts as one object with unanswered parts. */
export function objectsOf(image: DatasetImage): PartAnswers[] {
  if (image.objects.length === 0) return [{ className: image.className, parts: [], absent: [] }];
  return image.objects.map(({ className, parts, absent }) => ({
    className: className ?? image.className,
    parts,
    absent,
  }));
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
