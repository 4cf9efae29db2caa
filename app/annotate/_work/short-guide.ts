import type { Coverage } from '@/lib/core/translations';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';

/** A picture that the curator chose, with what is said about it. */
export interface WrittenExample {
  url: string;
  verdict: 'good' | 'not good';
  caption: string;
  note: string;
  language: string;
}

export interface ShortGuide {
  /** Markdown: a few lines. */
  short: string;
  language?: string;
  written: readonly WrittenExample[];
  /** Labelled pictures, where the curator chose none. */
  labelled: readonly GuideExample[];
}

/** What is shown beside the work: about the stage, and about each attribute or part. */
export interface BatchGuide {
  general: ShortGuide;
  targets: Readonly<Record<string, ShortGuide>>;
  /** Signed addresses for pictures within the texts. */
  pictures: Readonly<Record<string, string>>;
  /** How much of the guide is in the language of the reader. */
  coverage: Coverage;
}

export const noGuide: BatchGuide = {
  general: { short: '', written: [], labelled: [] },
  targets: {},
  pictures: {},
  coverage: 'all',
};
