import { Download } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { formatCount } from '@/lib/core/format';
import { directionOf, type Locale, languages, readLocale } from '@/lib/core/i18n/locales';
import { fileFormats, progressOf } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import { translationProgress, translationsOf } from '@/lib/services/crowd/translations';
import { CrowdPage } from '../crowd-page';
import { ImportDialog } from './import-dialog';
import { LanguageTable } from './language-table';
import { OriginalLanguage } from './original-language';
import { TranslationEditor } from './translation-editor';

export const metadata: Metadata = { title: 'Translations' };

type Props = PageProps<'/projects/[project]/crowd/translations'>;
type Project = Awaited<ReturnType<typeof pageProject>>['project'];

export default async function Translations({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const language = readLocale((await searchParams).language);
  return language && language !== project.language ? (
    <OneLanguage project={project} language={language} />
  ) : (
    <Overview project={project} />
  );
}

async function Overview({ project }: { project: Project }) {
  const { original, texts, languages: rows } = await translationProgress(database(), project.id);
  const isStarted = rows.some(({ progress }) => progress.translated + progress.outdated > 0);
  const readOnly = project.state === 'archived';
  return (
    <CrowdPage
      slug={project.slug}
      at="/translations"
      title="Translations"
      description="Guide, consent text, schema and names in the languages of your workers. A text without a translation is shown in the original, with a note."
      facts={<span>{formatCount(texts, 'text')}</span>}
    >
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel title="Languages" flush>
          {!isStarted && (
            <EmptyState title="No translations yet" className="border-b border-line">
              Choose a language and translate its texts here, or export them for a translator and import the
              result.
            </EmptyState>
          )}
          <LanguageTable slug={project.slug} texts={texts} rows={rows} />
        </Panel>
        <Panel
          title="Original language"
          description="The language in which your team writes. Workers who read it see no translations."
        >
          <OriginalLanguage slug={project.slug} language={original} readOnly={readOnly} />
        </Panel>
      </div>
    </CrowdPage>
  );
}

async function OneLanguage({ project, language }: { project: Project; language: Locale }) {
  const { original, entries } = await translationsOf(database(), project.id, language);
  const { translated, outdated, missing } = progressOf(entries);
  const path = `/projects/${project.slug}/crowd/translations`;
  const readOnly = project.state === 'archived';
  return (
    <CrowdPage
      slug={project.slug}
      at="/translations"
      title={`Translations: ${languages[language]}`}
      description="Workers see a translation from their next page on. When the original changes, they see the original again until you check the translation."
      facts={
        <>
          <State state="translated" tone="good">
            {translated} translated
          </State>
          {outdated > 0 && (
            <State state="outdated" tone="warn">
              {outdated} outdated
            </State>
          )}
          {missing > 0 && (
            <State state="missing" tone="neutral">
              {missing} missing
            </State>
          )}
        </>
      }
      more={
        <>
          <ButtonLink href={path} variant="quiet">
            All languages
          </ButtonLink>
          {fileFormats.map((format) => (
            <ButtonLink
              key={format}
              href={`${path}/file?language=${language}&format=${format}`}
              prefetch={false}
              download
              icon={<Download aria-hidden />}
            >
              Export {format.toUpperCase()}
            </ButtonLink>
          ))}
          {!readOnly && <ImportDialog slug={project.slug} language={language} />}
        </>
      }
    >
      <TranslationEditor
        key={language}
        slug={project.slug}
        language={language}
        direction={directionOf(language)}
        original={original}
        originalDirection={directionOf(original)}
        entries={entries}
        readOnly={readOnly}
      />
    </CrowdPage>
  );
}
