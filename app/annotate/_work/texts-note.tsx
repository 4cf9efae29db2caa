import { useLocale, useTranslations } from 'next-intl';
import { languageName } from '@/lib/core/i18n/locales';
import type { WorkBatch } from './api';
import type { BatchGuide } from './short-guide';

interface TextsNoteProps {
  batch: WorkBatch;
  guide: BatchGuide;
}

/** Explains why names or instructions are not in the worker's language. Renders nothing if all of them are. */
export function TextsNote({ batch: { texts }, guide }: TextsNoteProps) {
  const t = useTranslations('texts');
  const locale = useLocale();
  const coverages = [texts.coverage, guide.coverage];
  if (coverages.every((coverage) => coverage === 'all')) return null;
  const language = languageName(texts.original, locale);
  return (
    <p className="text-xs text-ink-3">
      {coverages.every((coverage) => coverage === 'none')
        ? t('onlyIn', { language })
        : t('partlyOnlyIn', { language })}
    </p>
  );
}
