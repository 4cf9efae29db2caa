import type { AnswerValue } from '@/lib/core/quality/answer';

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
