import { getLocale, getTranslations } from 'next-intl/server';
import { cache } from 'react';
import { database } from '@/db';
import { directionOf, languageName } from '@/lib/core/i18n/locales';
import type { ProjectTexts } from '@/lib/core/translations';
import { type Names, projectNames, projectTexts } from '@/lib/services/crowd/translations';

/** The texts of a project in the language of the page. Once per request, however many components ask. */
export const pageTexts = cache(
  async (projectId: string): Promise<ProjectTexts> => projectTexts(database(), projectId, await getLocale()),
);

/** The names of projects and stages in the language of the page, for lists. */
export const pageNames = async (projectIds: readonly string[]): Promise<Names> =>
  projectNames(database(), projectIds, await getLocale());

/** Attributes of an element whose text can be in another language than the page. */
export const inLanguage = (language: string) => ({ lang: language, dir: directionOf(language) });

interface FallbackNoteProps {
  /** How much of the text is in the language of the page. */
  coverage: ProjectTexts['coverage'];
  /** The language of the rest. */
  original: string;
}

/** Tells readers why a text is not in their language. Nothing when it is. */
export async function FallbackNote({ coverage, original }: FallbackNoteProps) {
  if (coverage === 'all') return null;
  const t = await getTranslations('texts');
  const language = languageName(original, await getLocale());
  return (
    <p dir="auto" className="text-sm text-ink-3" data-fallback={coverage}>
      {coverage === 'none' ? t('onlyIn', { language }) : t('partlyOnlyIn', { language })}
    </p>
  );
}
