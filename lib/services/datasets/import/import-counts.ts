import type { Format } from '@/lib/core/formats/format';
import {
  Account,
  type AnnotationCounts,
  type CategoryCount,
  type MappedImage,
} from '@/lib/core/formats/mapping';
import type { RawImage } from '@/lib/core/formats/shared/raw-source';
import type { ImportedImage } from './import-image';
import type { Translated } from './translate';

/** Maximum number of reasons in the report. */
const MAX_REASONS = 50;

export interface Reason {
  reason: string;
  count: number;
  /** The first affected image. */
  first: string;
}

/**
 * Invariants: images = accepted + duplicate + refused + before; labels = written + known + left out; annotations, in
 * total and of each category, = written + merged + known + skipped.
 */
export interface ImportCounts {
  uploadId: string;
  format: string;
  formatName: string;
  because: string;
  /** The project adopted the dataset's schema. */
  isNewSchema: boolean;
  images: { total: number; accepted: number; duplicate: number; refused: number; before: number };
  labels: { total: number; written: number; known: number; leftOut: number };
  /** Annotations of the source. Several annotations can form one label, and forms have none. */
  annotations: AnnotationCounts;
  categories: CategoryCount[];
  reasons: Reason[];
  /** What the reader left out, as sentences. */
  notes: string[];
}

/** Counts while an import runs. */
export class Tally {
  readonly #images = { total: 0, accepted: 0, duplicate: 0, refused: 0, before: 0 };
  readonly #labels = { total: 0, written: 0, known: 0, leftOut: 0 };
  readonly #reasons = new Map<string, Reason>();
  readonly #account: Account;

  constructor(
    private readonly format: Pick<Format, 'id' | 'name'>,
    private readonly because: string,
    private readonly isNewSchema: boolean,
    describe: (category: string) => string = () => '',
  ) {
    this.#account = new Account(describe);
  }

  /** Counts the annotations of an image before they are processed. */
  expect({ annotations }: RawImage): void {
    this.#account.expect(annotations);
  }

  /** An image without a file, whose annotations are lost. */
  lost({ skipped }: MappedImage): void {
    this.#account.skippedFor(skipped);
  }

  /** Completed by an earlier attempt. */
  before({ origins, skipped }: MappedImage): void {
    this.#images.total += 1;
    this.#images.before += 1;
    this.#account.skippedFor(skipped);
    for (const own of origins.values()) this.#account.known(own);
  }

  image({ skipped }: MappedImage, stored: ImportedImage): void {
    const { name, isDuplicate, written, known, isWritten, translated } = stored;
    const { labels, leftOut, lost, remarks } = translated;
    this.#account.skippedFor(skipped);
    this.#account.skippedFor(lost);
    for (const label of labels)
      if (isWritten(label)) this.#account.written(label.origins);
      else this.#account.known(label.origins);
    this.#images.total += 1;
    this.#images[isDuplicate ? 'duplicate' : 'accepted'] += 1;
    this.#labels.total += written + known + leftOut.length;
    this.#labels.written += written;
    this.#labels.known += known;
    this.#leaveOut(leftOut, name);
    for (const remark of remarks) this.#tell(remark, name);
  }

  refused({ name, skipped }: MappedImage, { labels, leftOut, lost }: Translated, reason: string): void {
    this.#account.skippedFor(skipped);
    this.#account.skippedFor(lost);
    for (const { origins } of labels) this.#account.skipped(origins, `its image was refused: ${reason}`);
    this.#images.total += 1;
    this.#images.refused += 1;
    this.#labels.total += labels.length + leftOut.length;
    this.#leaveOut([...leftOut, ...labels.map(() => `its image was refused: ${reason}`)], name);
    if (labels.length === 0) this.#tell(`the image was refused: ${reason}`, name);
  }

  numbers() {
    return { images: this.#images, labels: this.#labels };
  }

  result(uploadId: string, notes: readonly string[]): ImportCounts {
    return {
      uploadId,
      format: this.format.id,
      formatName: this.format.name,
      because: this.because,
      isNewSchema: this.isNewSchema,
      ...this.numbers(),
      ...this.#account.result(),
      reasons: [...this.#reasons.values()].sort((a, b) => b.count - a.count),
      notes: [...notes],
    };
  }

  #leaveOut(reasons: readonly string[], first: string): void {
    this.#labels.leftOut += reasons.length;
    for (const reason of reasons) this.#tell(reason, first);
  }

  #tell(reason: string, first: string): void {
    const told = this.#reasons.size < MAX_REASONS || this.#reasons.has(reason) ? reason : 'other reasons';
    const known = this.#reasons.get(told) ?? { reason: told, count: 0, first };
    known.count += 1;
    this.#reasons.set(told, known);
  }
}
