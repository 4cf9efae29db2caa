import type { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import type { Scene } from '@/lib/demo/scenes';

export type AskedKind = 'attributes' | 'object-mask' | 'part-mask' | 'oracle';

/** One item as a worker meets it. */
export interface Question {
  stageKind: AskedKind;
  schema: DatasetSchema;
  width: number;
  height: number;
  /** The attribute or part to draw; empty where the whole object or the image is asked about. */
  target: string;
  /** Tells the picture from others, as far as a client can. */
  picture: string;
  /** What is on the picture; null when the generator did not make it. */
  scene: Scene | null;
}

/** The same question looks the same to everybody who meets it. */
export const questionKey = ({ stageKind, picture, target }: Question): string =>
  `${stageKind} ${picture} ${target}`;

/**
 * What colluders tell each other. Ordinary questions go to few people, checks to many: a question that one of
 * them has met before is worth an honest answer, and that answer is copied from then on.
 */
export class Notebook {
  private readonly met = new Map<string, AnswerValue | null>();
  /** Questions that were known when somebody looked them up. */
  repeats = 0;

  isKnown(question: string): boolean {
    const known = this.met.has(question);
    if (known) this.repeats += 1;
    return known;
  }

  /** The honest answer of a colleague, if one was written down. */
  honestAnswer(question: string): AnswerValue | null {
    return this.met.get(question) ?? null;
  }

  note(question: string, honest: AnswerValue | null): void {
    this.met.set(question, honest ?? this.met.get(question) ?? null);
  }
}
