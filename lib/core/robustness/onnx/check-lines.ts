import { TesseraError } from '@/lib/core/errors';

/** One thing that was looked at before a model is taken. */
export interface CheckLine {
  /** What was looked at: Input, Classes … */
  what: string;
  says: string;
  /** A note does not keep a model out, and is worth reading. */
  state: 'good' | 'note' | 'refused';
}

/** The first refusal ends a check: what comes after it is not looked at. */
export class CheckLines {
  readonly all: CheckLine[] = [];

  good(what: string, says: string): void {
    this.all.push({ what, says, state: 'good' });
  }

  note(what: string, says: string): void {
    this.all.push({ what, says, state: 'note' });
  }

  /** What goes wrong in `work` in a way that a person can mend becomes the last line. */
  step<T>(what: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.refused(what, error);
    }
  }

  refused(what: string, error: unknown): unknown {
    if (!(error instanceof TesseraError)) return error;
    this.all.push({ what, says: error.message, state: 'refused' });
    return new Refused(error.message);
  }
}

export class Refused extends Error {}

export const refusalIn = (lines: readonly CheckLine[]): CheckLine | null =>
  lines.find(({ state }) => state === 'refused') ?? null;
