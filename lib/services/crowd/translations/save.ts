import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type Locale, languages } from '@/lib/core/i18n/locales';
import {
  cleanText,
  type FileFormat,
  MAX_KEY_LENGTH,
  planImport,
  readTranslations,
  type TextChange,
  type TextEntry,
  textProblem,
} from '@/lib/core/translations';
import { record } from '@/lib/services/activity';
import { translationsOf } from './read';

const { projects, textTranslations } = tables;

/** The longest text of a guide has 20,000 characters; what is too long for its text is refused with its name. */
const MAX_TEXT_LENGTH = 40_000;
/** Keys that the activity log names. */
const NAMED_KEYS = 20;

/** Edits of a language. `number` is the one that the editor saw: 0 where there was no translation. */
export const TranslationChanges = z
  .array(
    z.strictObject({
      key: z.string().min(1).max(MAX_KEY_LENGTH),
      text: z.string().max(MAX_TEXT_LENGTH),
      number: z.number().int().min(0),
    }),
  )
  .min(1)
  .max(1000);

interface Language {
  projectId: string;
  language: Locale;
}

/** Stores translations of the originals as they are now. An empty text removes a translation. All or nothing. */
export async function saveTranslations(
  db: Database,
  actor: Actor,
  { projectId, language, changes }: Language & { changes: readonly TextChange[] },
): Promise<{ saved: number }> {
  return db.transaction(async (tx) => {
    const entries = await lockLanguage(tx, { projectId, language });
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    const rows = changes.flatMap(({ key, text, number }) => {
      const entry = byKey.get(key);
      if (!entry) {
        throw conflict('A text was removed since you opened the page. Reload it and save again.', { key });
      }
      const clean = cleanText(text);
      // Also when it was sent twice.
      if (!isChange(entry, clean)) return [];
      if (entry.number !== number) {
        throw conflict(
          `Somebody else translated “${entry.label}” since you opened the page. Compare their text with yours before you save again.`,
          { key },
        );
      }
      const problem = textProblem(clean, entry);
      if (problem) throw invalid(`${entry.group}, ${entry.label}: ${problem}`, { key });
      return [{ entry, text: clean }];
    });
    await insertRows(tx, actor, { projectId, language }, rows);
    if (rows.length > 0) await log(tx, actor, 'translation.save', { projectId, language }, rows);
    return { saved: rows.length };
  });
}

export interface ImportResult {
  imported: number;
  unchanged: number;
  /** Lines without a translation. */
  empty: number;
  problems: { key: string; problem: string }[];
}

/** Stores what a translator sent. Lines that cannot be stored are listed; the others are stored together. */
export async function importTranslations(
  db: Database,
  actor: Actor,
  { projectId, language, format, content }: Language & { format: FileFormat; content: string },
): Promise<ImportResult> {
  const file = readTranslations(format, content);
  if ('error' in file) throw invalid(file.error);
  if (file.to !== null && file.to !== language) {
    throw invalid(
      `The file is ${languages[file.to as Locale] ?? file.to}. Open that language and import it there.`,
    );
  }
  return db.transaction(async (tx) => {
    const entries = await lockLanguage(tx, { projectId, language });
    const { changes, ...rest } = planImport(entries, file.rows);
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    const rows = changes.flatMap(({ key, text }) => {
      const entry = byKey.get(key);
      return entry ? [{ entry, text }] : [];
    });
    await insertRows(tx, actor, { projectId, language }, rows);
    if (rows.length > 0) await log(tx, actor, 'translation.import', { projectId, language }, rows);
    return { imported: rows.length, ...rest };
  });
}

/** Locks the project row, so that two curators who save at the same time come one after the other. */
async function lockLanguage(tx: Db, { projectId, language }: Language): Promise<TextEntry[]> {
  const locked = await tx.execute(sql`select 1 from ${projects} where id = ${projectId} for no key update`);
  if (locked.rows.length === 0) throw notFound('project');
  const { original, entries } = await translationsOf(tx, projectId, language);
  if (original === language) {
    throw invalid(`The texts of this project are written in ${languages[language]}.`);
  }
  return entries;
}

const isChange = (entry: TextEntry, text: string): boolean =>
  text === '' ? entry.state !== 'missing' : entry.state !== 'translated' || entry.translation !== text;

type Row = { entry: TextEntry; text: string };

async function insertRows(tx: Db, actor: Actor, { projectId, language }: Language, rows: readonly Row[]) {
  if (rows.length === 0) return;
  await tx.insert(textTranslations).values(
    rows.map(({ entry, text }) => ({
      projectId,
      locale: language,
      key: entry.key,
      number: entry.number + 1,
      source: entry.original,
      text,
      createdBy: actorId(actor),
    })),
  );
}

const log = (
  tx: Db,
  actor: Actor,
  verb: 'translation.save' | 'translation.import',
  { projectId, language }: Language,
  rows: readonly Row[],
) =>
  record(tx, {
    actor,
    verb,
    subject: 'project',
    subjectId: projectId,
    projectId,
    detail: {
      language,
      count: rows.length,
      keys: rows.slice(0, NAMED_KEYS).map(({ entry }) => entry.key),
    },
  });
