import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { FallbackNote, inLanguage, pageTexts } from '@/app/_i18n/project-texts';
import { getWorkerFormat } from '@/app/_i18n/request';
import { Translated } from '@/app/_i18n/translated';
import { ButtonLink } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { type ProjectTexts, textKeys } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import {
  type Consent,
  consentHeadings,
  consentOf,
  type ScreenNeed,
  screenNeeds,
} from '@/lib/services/crowd/consent';
import { translateConsent } from '@/lib/services/crowd/translations';
import { listWork } from '@/lib/services/crowd/work';
import { pathOf } from '../../_path/path';
import { PathSteps } from '../../_path/path-steps';
import { AgreeForm } from './agree-form';
import { PrintButton } from './print-button';

type Props = PageProps<'/annotate/[project]/consent'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  const name = (await pageTexts(project.id)).quiet(textKeys.projectName, project.name);
  return { title: (await getTranslations('consent'))('title', { project: name }) };
}

export default async function ConsentPage({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const db = database();
  const consent = await consentOf(db, { projectId: project.id, workerId: actor.userId });
  const needs = await screenNeeds(db, project.id);
  const texts = await pageTexts(project.id);
  const { number, createdAt, id } = consent.text;
  const { document, language, translationIds } = translateConsent(consent.text.document, texts);
  const isTranslated = language === texts.wanted;
  const t = await getTranslations();
  const format = await getWorkerFormat();
  const offer = (await listWork(db, actor)).find((each) => each.project.id === project.id);
  const path = offer && pathOf(offer, (await readGuides(db, actor.userId)).has(project.id));
  return (
    <Translated namespaces={['consent', 'errors', 'appeal']}>
      <header className="flex flex-col gap-1">
        <p className="text-sm text-ink-2">{t('consent.intro')}</p>
        <h1 {...inLanguage(language)} className="text-2xl font-semibold tracking-tight">
          {document.projectTitle}
        </h1>
        <p className="text-sm text-ink-3">{t('consent.version', { number, date: format.date(createdAt) })}</p>
      </header>
      {path && consent.state !== 'agreed' && <PathSteps path={path} />}
      <StateLine consent={consent} />
      <FallbackNote coverage={isTranslated ? 'all' : 'none'} original={texts.original} />
      <ScreenLine needs={needs} texts={texts} />
      <article className="flex flex-col gap-5">
        {consentHeadings.map(([field]) => (
          <section key={field} className="break-inside-avoid">
            <h2 className="font-semibold">{t(`consent.headings.${field}`)}</h2>
            <p
              {...inLanguage(language)}
              className="max-w-prose whitespace-pre-line text-ink-2 print:text-ink"
            >
              {document[field]}
            </p>
          </section>
        ))}
      </article>
      {consent.state === 'agreed' ? (
        <div className="flex flex-wrap gap-3 print:hidden">
          <ButtonLink href="/annotate" variant="primary" size="large">
            {t('shell.backToWork')}
          </ButtonLink>
          <PrintButton />
        </div>
      ) : (
        <AgreeForm project={project.slug} textId={id} language={language} translationIds={translationIds} />
      )}
    </Translated>
  );
}

/** The screen that the work needs, shown before the worker agrees. */
async function ScreenLine({ needs, texts }: { needs: readonly ScreenNeed[]; texts: ProjectTexts }) {
  const t = await getTranslations('consent');
  return needs.map(({ stageId, stage, width }) => (
    <p key={stageId} className="text-base">
      {t('screen', { stage: texts.quiet(textKeys.stageName(stageId), stage), width: String(width) })}
    </p>
  ));
}

async function StateLine({ consent: { state, since } }: { consent: Consent }) {
  const t = await getTranslations('consent');
  if (state === 'missing') return <p className="text-base text-ink-2 print:hidden">{t('missing')}</p>;
  const date = since ? (await getWorkerFormat()).dateTime(since) : '';
  return (
    <p className="text-base">
      <State state={state} tone={state === 'agreed' ? 'good' : 'warn'} className="whitespace-normal">
        {t(state, { date })}
      </State>
    </p>
  );
}
