import type { DatasetImage } from '@/lib/core/formats/dataset';
import type { DatasetSchema } from '@/lib/core/schema/types';
import { contradictions } from './contradictions';
import { missing } from './missing';

export type FindingKind = 'missing' | 'contradictory' | 'near-empty';

/** A question about the labels of one image; each thing that it yields is one case, said in a few words. */
export interface Look {
  id: string;
  kind: FindingKind;
  title: string;
  /** What is meant, with its limits. */
  says: string;
  cases(image: DatasetImage, schema: DatasetSchema): Iterable<string>;
}

export interface Finding extends Omit<Look, 'cases'> {
  /** Cases; an image may have several. */
  count: number;
  images: number;
  /** The first, by image. */
  examples: { image: string; cases: string[] }[];
}

export const looks: readonly Look[] = [...missing, ...contradictions];

const SHOWN_IMAGES = 100;
const SHOWN_CASES = 8;

/** Gathers what the looks find, with the first images of each. */
export class Findings {
  readonly #found = new Map<Look, Finding>();
  readonly #schema: DatasetSchema;

  constructor(schema: DatasetSchema) {
    this.#schema = schema;
  }

  add(image: DatasetImage): void {
    for (const look of looks) {
      const cases = [...look.cases(image, this.#schema)];
      if (cases.length === 0) continue;
      const { cases: _, ...said } = look;
      const finding = this.#found.get(look) ?? { ...said, count: 0, images: 0, examples: [] };
      this.#found.set(look, finding);
      finding.count += cases.length;
      finding.images += 1;
      if (finding.examples.length < SHOWN_IMAGES)
        finding.examples.push({ image: image.name, cases: cases.slice(0, SHOWN_CASES) });
    }
  }

  /** `images` have an outline of the object: where none has, nobody wanted one. */
  result({ outlines }: { outlines: number }): Finding[] {
    return looks
      .filter(({ id }) => outlines > 0 || id !== 'no-outline')
      .flatMap((look) => this.#found.get(look) ?? []);
  }
}
