import { ButtonLink } from '@/app/_ui/button';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { SmallTable } from '@/app/_ui/table';
import { formatNumber } from '@/lib/core/format';
import { languageName, languages } from '@/lib/core/i18n/locales';
import type { LanguageProgress } from '@/lib/services/crowd/translations';

interface LanguageTableProps {
  slug: string;
  /** Of the project. */
  texts: number;
  rows: readonly LanguageProgress[];
}

/** How far each language is, with the way to its texts. */
export function LanguageTable({ slug, texts, rows }: LanguageTableProps) {
  const count = (value: number) => (value === 0 ? '–' : formatNumber(value));
  return (
    <SmallTable
      caption="Languages"
      rows={[...rows]}
      rowKey={({ language }) => language}
      empty={null}
      columns={[
        {
          key: 'language',
          title: 'Language',
          cell: ({ language }) => (
            <span className="flex flex-col">
              <span lang={language} className="font-medium">
                {languages[language]}
              </span>
              <span className="text-xs text-ink-3">{languageName(language, 'en')}</span>
            </span>
          ),
        },
        {
          key: 'progress',
          title: 'Progress',
          className: 'w-1/4 min-w-24',
          cell: ({ language, progress }) => (
            <ProgressBar
              label={`Translated into ${languageName(language, 'en')}`}
              done={progress.translated}
              total={texts}
              tone={progress.translated === texts ? 'good' : 'busy'}
            />
          ),
        },
        {
          key: 'translated',
          title: 'Translated',
          numeric: true,
          cell: ({ progress }) => count(progress.translated),
        },
        {
          key: 'outdated',
          title: 'Outdated',
          numeric: true,
          cell: ({ progress }) => count(progress.outdated),
        },
        {
          key: 'missing',
          title: 'Missing',
          numeric: true,
          cell: ({ progress }) => count(progress.missing),
        },
        {
          key: 'open',
          title: 'Open',
          untitled: true,
          className: 'w-0 text-end',
          cell: ({ language }) => (
            <ButtonLink
              href={`/projects/${slug}/crowd/translations?language=${language}`}
              aria-label={`Translate into ${languageName(language, 'en')}`}
            >
              Translate
            </ButtonLink>
          ),
        },
      ]}
    />
  );
}
