import { z } from 'zod';
import { csvLine, readCsv } from '../formats/codecs/csv';
import { type Locale, locales } from '../i18n/locales';
import { cleanText, textProblem } from './check-text';
import type { TextEntry } from './texts';

export const fileFormats = ['json', 'csv'] as const;
export type FileFormat = (typeof fileFormats)[number];

/** Rows that a file can have; a project has some hundred texts. */
const MAX_ROWS = 10_000;

export interface FileHead {
  project: string;
  from: string;
  to: string;
}

/** A language of a project as a file for a translator: every original beside its translation. */
export function writeTranslations(format: FileFormat, head: FileHead, entries: readonly TextEntry[]): string {
  const rows = entries.map(({ key, group, label, original, translation, state }) => ({
    key,
    group,
    label,
    state,
    original,
    translation,
  }));
  if (format === 'json')
    return `${JSON.stringify({ format: 'tessera-translations', version: 1, ...head, texts: rows }, null, 2)}\n`;
  const lines = rows.map((row) =>
    csvLine([row.key, head.to, row.group, row.label, row.state, row.original, row.translation].map(disarm)),
  );
  // Spreadsheets read UTF-8 only behind this mark.
  return `\ufeff${csvLine(['key', 'language', 'group', 'label', 'state', 'original', 'translation'])}${lines.join('')}`;
}

/** What a spreadsheet would run as a formula; also when it is quoted already, so that reading can undo it exactly. */
const formula = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const disarm = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell);
const arm = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

const FileRow = z.object({
  key: z.string().min(1),
  original: z.string(),
  translation: z.string().nullish(),
});
export type FileRow = z.infer<typeof FileRow>;

const TranslationFile = z.object({
  format: z.literal('tessera-translations'),
  version: z.literal(1),
  to: z.enum(locales as [Locale, ...Locale[]]),
  texts: z.array(FileRow).max(MAX_ROWS),
});

export type ReadFile = { to: string | null; rows: FileRow[] } | { error: string };

/** Reads what a translator sends back. A table without a language column can be of any language. */
export function readTranslations(format: FileFormat, content: string): ReadFile {
  return format === 'json' ? readJson(content) : readTable(content);
}

function readJson(content: string): ReadFile {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\ufeff/, ''));
  } catch {
    return {
      error: 'The file is not JSON. Send the file that was exported, with the translations filled in.',
    };
  }
  const parsed = TranslationFile.safeParse(value);
  if (parsed.success) return { to: parsed.data.to, rows: parsed.data.texts };
  const [issue] = parsed.error.issues;
  return {
    error: `The file is not an export of translations: ${issue?.path.join('.') || 'its content'}: ${issue?.message}`,
  };
}

function readTable(content: string): ReadFile {
  const rows: FileRow[] = [];
  const languages = new Set<string>();
  try {
    for (const row of readCsv(content)) {
      if (row.key === undefined || row.original === undefined || row.translation === undefined)
        return { error: 'The table needs the columns key, original and translation, separated by commas.' };
      if (rows.length >= MAX_ROWS) return { error: `The table has more than ${MAX_ROWS} lines.` };
      if (row.language) languages.add(row.language);
      if (row.key !== '')
        rows.push({ key: row.key, original: arm(row.original), translation: arm(row.translation) });
    }
  } catch {
    return { error: 'The table ends within quotes. Save it as CSV with commas again.' };
  }
  if (languages.size > 1) return { error: 'The table contains more than one language.' };
  if (rows.length === 0) return { error: 'The table has no lines.' };
  return { to: [...languages][0] ?? null, rows };
}

export interface TextChange {
  key: string;
  text: string;
  /** The newest number when the change was made. */
  number: number;
}

export interface ImportPlan {
  changes: TextChange[];
  /** Rows that say what is stored already, and rows without a translation. */
  unchanged: number;
  empty: number;
  problems: { key: string; problem: string }[];
}

/** Compares a file with the texts as they are now. A row that cannot be stored is listed and changes nothing. */
export function planImport(entries: readonly TextEntry[], rows: readonly FileRow[]): ImportPlan {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  const plan: ImportPlan = { changes: [], unchanged: 0, empty: 0, problems: [] };
  const seen = new Set<string>();
  for (const { key, original, translation } of rows) {
    const text = cleanText(translation ?? '');
    const entry = byKey.get(key);
    const problem = seen.has(key)
      ? 'It is in the file twice. The first one counts.'
      : entry === undefined
        ? 'The project has no such text (any more).'
        : text === ''
          ? null
          : cleanText(original) !== cleanText(entry.original)
            ? 'The original has changed since the export. Export the language again and check this translation.'
            : textProblem(text, entry);
    seen.add(key);
    if (problem !== null) plan.problems.push({ key: key.slice(0, 300), problem });
    else if (text === '') plan.empty += 1;
    else if (entry && entry.state === 'translated' && entry.translation === text) plan.unchanged += 1;
    else if (entry) plan.changes.push({ key, text, number: entry.number });
  }
  return plan;
}
