import { csvLine } from '../codecs/csv';
import { cleanCategory } from '../shared/raw-source';
import type { Origin, SkippedAnnotation } from './apply';

/** What became of the annotations of a category: total = written + merged + known + skipped. */
export interface CategoryCount {
  category: string;
  /** What the mapping makes of it: "part wheel of car". */
  target: string;
  total: number;
  written: number;
  /** Joined with another annotation, as the mapping says. */
  merged: number;
  /** The project has a label there already, which was kept. */
  known: number;
  skipped: number;
  /** Why annotations were skipped, with their number. */
  reasons: { reason: string; count: number }[];
}

export type AnnotationCounts = Omit<CategoryCount, 'category' | 'target' | 'reasons'>;

/** A hostile file could have a different error for every annotation. */
const MAX_REASONS = 50;
/** The category of annotations without one. */
const NAMELESS = '(no category)';

/** Counts what becomes of every annotation of a source. */
export class Account {
  readonly #categories = new Map<string, CategoryCount>();
  #total = 0;

  constructor(private readonly describe: (category: string) => string = () => '') {}

  /** Counts the annotations that a source has, independently of what becomes of them. */
  expect(annotations: readonly { category: string }[]): void {
    for (const { category } of annotations) {
      this.#of(cleanCategory(category)).total += 1;
      this.#total += 1;
    }
  }

  written(origins: readonly Origin[]): void {
    for (const { category, isMerged } of origins) this.#of(category)[isMerged ? 'merged' : 'written'] += 1;
  }

  known(origins: readonly Origin[]): void {
    for (const { category } of origins) this.#of(category).known += 1;
  }

  skipped(annotations: readonly { category: string }[], reason: string): void {
    for (const { category } of annotations) this.#skip({ category, reason });
  }

  skippedFor(annotations: readonly SkippedAnnotation[]): void {
    for (const annotation of annotations) this.#skip(annotation);
  }

  #skip({ category, reason }: SkippedAnnotation): void {
    const count = this.#of(category);
    count.skipped += 1;
    const text =
      count.reasons.length < MAX_REASONS || count.reasons.some((each) => each.reason === reason)
        ? reason
        : 'other reasons';
    const known = count.reasons.find((each) => each.reason === text);
    if (known) known.count += 1;
    else count.reasons.push({ reason: text, count: 1 });
  }

  #of(category: string): CategoryCount {
    const name = category === '' ? NAMELESS : category;
    const known = this.#categories.get(name);
    if (known) return known;
    const count = {
      category: name,
      target: category === '' ? '' : this.describe(category),
      total: 0,
      written: 0,
      merged: 0,
      known: 0,
      skipped: 0,
      reasons: [],
    };
    this.#categories.set(name, count);
    return count;
  }

  /** The counts by category and in total. Throws if an annotation is missing or was counted twice. */
  result(): { categories: CategoryCount[]; annotations: AnnotationCounts } {
    const categories = [...this.#categories.values()].sort(({ category: a }, { category: b }) =>
      a < b ? -1 : a > b ? 1 : 0,
    );
    const annotations = { total: this.#total, written: 0, merged: 0, known: 0, skipped: 0 };
    for (const count of categories) {
      const { category, total, written, merged, known, skipped } = count;
      if (total !== written + merged + known + skipped)
        throw new Error(
          `${total} annotations of "${category}" are not ${written} written, ${merged} merged, ${known} known and ${skipped} skipped.`,
        );
      annotations.written += written;
      annotations.merged += merged;
      annotations.known += known;
      annotations.skipped += skipped;
    }
    return { categories, annotations };
  }
}

const COLUMNS = [
  'category',
  'target',
  'total',
  'written',
  'merged',
  'already imported',
  'skipped',
  'reasons',
];

/** The table of counts as CSV, with the totals as the last line. */
export function countsCsv(categories: readonly CategoryCount[], total: AnnotationCounts): string {
  const numbers = (count: AnnotationCounts) => [
    count.total,
    count.written,
    count.merged,
    count.known,
    count.skipped,
  ];
  return [
    csvLine(COLUMNS),
    ...categories.map((count) =>
      csvLine(
        [
          count.category,
          count.target,
          ...numbers(count),
          count.reasons.map(({ reason, count: times }) => `${times} × ${reason}`).join('; '),
        ],
        { escapesFormulas: true },
      ),
    ),
    csvLine(['(total)', '', ...numbers(total), '']),
  ].join('');
}
