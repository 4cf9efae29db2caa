import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { defaultLocale, type Locale, locales } from '@/lib/core/i18n/locales';
import {
  type Progress,
  ProjectTexts,
  progressOf,
  type StoredTranslation,
  type TextEntry,
  TranslationIndex,
  textKeys,
} from '@/lib/core/translations';
import { sourceTexts } from './source-texts';

const { projects, textTranslations: stored } = tables;

/** The newest row of every text and original: as many rows as there are texts, however often they were edited. */
const newestRows = (db: Db, projectId: string, locale: string): Promise<StoredTranslation[]> =>
  db
    .selectDistinctOn([stored.key, stored.source], {
      id: stored.id,
      key: stored.key,
      number: stored.number,
      source: stored.source,
      text: stored.text,
    })
    .from(stored)
    .where(and(eq(stored.projectId, projectId), eq(stored.locale, locale)))
    .orderBy(stored.key, stored.source, sql`${stored.number} desc`);

/**
 * The texts of a project in the language of a reader; null for the language in which they were written. One statement
 * for that language, else two.
 */
export async function projectTexts(db: Db, projectId: string, locale: string | null): Promise<ProjectTexts> {
  const [project] = await db
    .select({ language: projects.language })
    .from(projects)
    .where(eq(projects.id, projectId));
  const original = project?.language ?? defaultLocale;
  if (locale === null || original === locale) return ProjectTexts.untranslated(original);
  return new ProjectTexts(original, locale, new TranslationIndex(await newestRows(db, projectId, locale)));
}

/** The names of projects and their stages for one reader. */
export interface Names {
  project: (projectId: string, name: string) => string;
  stage: (projectId: string, stageId: string, name: string) => string;
}

/** Reads the names of several projects for lists. One statement. */
export async function projectNames(db: Db, projectIds: readonly string[], locale: string): Promise<Names> {
  const ids = [...new Set(projectIds)];
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectDistinctOn([stored.projectId, stored.key, stored.source], {
            projectId: stored.projectId,
            id: stored.id,
            key: stored.key,
            number: stored.number,
            source: stored.source,
            text: stored.text,
          })
          .from(stored)
          .innerJoin(projects, eq(projects.id, stored.projectId))
          .where(
            and(
              inArray(stored.projectId, ids),
              eq(stored.locale, locale),
              sql`${projects.language} <> ${locale}`,
              or(eq(stored.key, textKeys.projectName), sql`${stored.key} like 'stage/%/name'`),
            ),
          )
          .orderBy(stored.projectId, stored.key, stored.source, sql`${stored.number} desc`);
  const byProject = new Map(
    ids.map((id) => [id, new TranslationIndex(rows.filter((row) => row.projectId === id))]),
  );
  const nameOf = (projectId: string, key: string, name: string) =>
    byProject.get(projectId)?.find(key, name)?.text ?? name;
  return {
    project: (projectId, name) => nameOf(projectId, textKeys.projectName, name),
    stage: (projectId, stageId, name) => nameOf(projectId, textKeys.stageName(stageId), name),
  };
}

export interface LanguageTexts {
  /** Of the originals. */
  original: string;
  entries: TextEntry[];
}

/** All texts of a project beside their translations into one language, for curators. */
export async function translationsOf(db: Db, projectId: string, locale: Locale): Promise<LanguageTexts> {
  const { language, texts } = await sourceTexts(db, projectId);
  const index = new TranslationIndex(await newestRows(db, projectId, locale));
  return { original: language, entries: texts.map((text) => index.entryOf(text)) };
}

export interface LanguageProgress {
  language: Locale;
  progress: Progress;
}

/** How far each language is, except the one of the originals. */
export async function translationProgress(
  db: Db,
  projectId: string,
): Promise<{ original: string; texts: number; languages: LanguageProgress[] }> {
  const { language: original, texts } = await sourceTexts(db, projectId);
  const rows = await db
    .selectDistinctOn([stored.locale, stored.key, stored.source], {
      locale: stored.locale,
      id: stored.id,
      key: stored.key,
      number: stored.number,
      source: stored.source,
      text: stored.text,
    })
    .from(stored)
    .where(eq(stored.projectId, projectId))
    .orderBy(stored.locale, stored.key, stored.source, sql`${stored.number} desc`);
  const languages = locales
    .filter((language) => language !== original)
    .map((language) => {
      const index = new TranslationIndex(rows.filter(({ locale }) => locale === language));
      return { language, progress: progressOf(texts.map((text) => index.entryOf(text))) };
    });
  return { original, texts: texts.length, languages };
}
