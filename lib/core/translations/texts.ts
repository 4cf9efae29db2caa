export const textAreas = ['project', 'guide', 'consent', 'schema'] as const;
export type TextArea = (typeof textAreas)[number];

/** A text of a project that workers read, in the language in which its team wrote it. */
export interface SourceText {
  key: string;
  area: TextArea;
  /** Where it belongs, for the curator: a stage, a class, a section of the consent text. */
  group: string;
  /** Which text of the group it is. */
  label: string;
  original: string;
  maxLength: number;
  isMarkdown: boolean;
  isMultiline: boolean;
}

/** What was written for a text at one time. */
export interface StoredTranslation {
  id: string;
  key: string;
  number: number;
  /** The original that was translated. */
  source: string;
  /** Empty when the translation was removed. */
  text: string;
}

/** `outdated`: there is a translation, of an original that has changed since. */
export type TranslationState = 'translated' | 'outdated' | 'missing';

export interface TextEntry extends SourceText {
  state: TranslationState;
  /** Of the newest row; 0 for none. An edit names the number it is based on. */
  number: number;
  /** What is shown to workers, or the outdated translation as a start; empty for none. */
  translation: string;
  /** The original of an outdated translation. */
  translatedFrom: string | null;
}

/** The newest row for every text, and for every original that it had. */
export class TranslationIndex {
  private readonly newest = new Map<string, StoredTranslation>();
  private readonly bySource = new Map<string, StoredTranslation>();

  constructor(rows: Iterable<StoredTranslation>) {
    for (const row of rows) {
      keepNewest(this.newest, row.key, row);
      keepNewest(this.bySource, pairOf(row.key, row.source), row);
    }
  }

  /** The translation of exactly this original, also when the text was different in between. */
  find(key: string, original: string): StoredTranslation | undefined {
    const row = this.bySource.get(pairOf(key, original));
    return row && row.text !== '' ? row : undefined;
  }

  entryOf(source: SourceText): TextEntry {
    const newest = this.newest.get(source.key);
    const current = this.find(source.key, source.original);
    const removed = this.bySource.get(pairOf(source.key, source.original))?.text === '';
    const isOutdated = !current && !removed && newest !== undefined && newest.text !== '';
    return {
      ...source,
      state: current ? 'translated' : isOutdated ? 'outdated' : 'missing',
      number: newest?.number ?? 0,
      translation: current?.text ?? (isOutdated ? newest.text : ''),
      translatedFrom: isOutdated ? newest.source : null,
    };
  }
}

const pairOf = (key: string, source: string) => `${key}\u0000${source}`;

function keepNewest(map: Map<string, StoredTranslation>, name: string, row: StoredTranslation): void {
  const known = map.get(name);
  if (!known || known.number < row.number) map.set(name, row);
}

export type Progress = Record<TranslationState, number>;

export function progressOf(entries: Iterable<TextEntry>): Progress {
  const progress: Progress = { translated: 0, outdated: 0, missing: 0 };
  for (const { state } of entries) progress[state] += 1;
  return progress;
}

/** A text as a worker reads it. */
export interface ShownText {
  text: string;
  /** The language of the text. */
  language: string;
}

/** How much of what was looked up is in the wanted language. */
export type Coverage = 'all' | 'some' | 'none';

/**
 * The texts of a project for one reader: the translation where there is one of exactly this original, else the original.
 * It remembers what it gave out, so that a page can say how much of it is not translated.
 */
export class ProjectTexts {
  private readonly given = { translated: 0, original: 0 };

  constructor(
    /** Of the originals. */
    readonly original: string,
    /** Of the reader. */
    readonly wanted: string,
    private readonly index: TranslationIndex,
  ) {}

  /** For who reads the original language: nothing is translated and nothing is missing. */
  static untranslated = (language: string): ProjectTexts =>
    new ProjectTexts(language, language, new TranslationIndex([]));

  get coverage(): Coverage {
    if (this.given.original === 0) return 'all';
    return this.given.translated === 0 ? 'none' : 'some';
  }

  show(key: string, original: string): ShownText {
    const found = this.peek(key, original);
    if (original.trim() !== '' && this.wanted !== this.original)
      this.given[found ? 'translated' : 'original'] += 1;
    return found ? { text: found.text, language: this.wanted } : { text: original, language: this.original };
  }

  /** The same without its language, for names within sentences. */
  text(key: string, original: string): string {
    return this.show(key, original).text;
  }

  /** For what a page does not always show: it does not count. */
  quiet(key: string, original: string): string {
    return this.peek(key, original)?.text ?? original;
  }

  /** The stored translation, without counting it. */
  peek(key: string, original: string): StoredTranslation | undefined {
    return this.wanted === this.original ? undefined : this.index.find(key, original);
  }
}
