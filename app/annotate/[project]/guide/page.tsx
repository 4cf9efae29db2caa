import { asc, eq } from 'drizzle-orm';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { ButtonLink } from '@/app/_ui/button';
import { SubmitButton } from '@/app/_ui/submit-button';
import { database, tables } from '@/db';
import { pageProject } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import { guideOf, workerPictureUrl } from '@/lib/services/crowd/guide';
import { guideExamples } from '@/lib/services/crowd/guide-examples';
import { listWork } from '@/lib/services/crowd/work';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { pathOf } from '../../_path/path';
import { PathSteps } from '../../_path/path-steps';
import { finishGuide } from './finish-guide';
import { StageInstructions } from './stage-instructions';

type Props = PageProps<'/annotate/[project]/guide'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  return { title: (await getTranslations('guide'))('title', { project: project.name }) };
}

export default async function Guide({ params }: Props) {
  const { project, actor } = await pageProject((await params).project, 'work.read');
  const db = database();
  const schema = await readProjectSchema(db, project.id);
  if (!schema) throw new Error('A project has a schema from its first moment.');
  const stages = await db
    .select({ id: tables.stages.id })
    .from(tables.stages)
    .where(eq(tables.stages.projectId, project.id))
    .orderBy(asc(tables.stages.position));
  const pictureUrl = workerPictureUrl(project.slug);
  const guides = await Promise.all(stages.map(({ id }) => guideOf(db, project.id, id, pictureUrl)));
  // Labels of a real project are nobody's choice of an example.
  const labelled = project.isDemo ? await guideExamples(db, project.id) : new Map();
  const offers = (await listWork(db, actor)).filter((offer) => offer.project.id === project.id);
  const hasReadGuide = (await readGuides(db, actor.userId)).has(project.id);
  const path = offers.map((offer) => pathOf(offer, hasReadGuide)).find((each) => each !== null);
  const t = await getTranslations();
  const locale = await getLocale();
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">
          {t('guide.title', { project: project.name })}
        </h1>
        {path && <PathSteps path={path} />}
        <p dir="auto" className="max-w-prose text-ink-2">
          {project.description || schema.description}
        </p>
        {locale !== 'en' && <p className="text-sm text-ink-3">{t('guide.notTranslated')}</p>}
        {guides.length > 1 && (
          <nav aria-label={t('guide.tasks')} className="flex flex-wrap gap-x-4 gap-y-1">
            {guides.map(({ stage }) => (
              <a key={stage.id} href={`#${stage.id}`} className="text-accent underline underline-offset-2">
                {stage.name}
              </a>
            ))}
          </nav>
        )}
      </header>
      {guides.map((guide) => (
        <StageInstructions
          key={guide.stage.id}
          guide={guide}
          schema={schema}
          labelled={labelled}
          examHref={
            offers.find(({ stage, exam }) => stage.id === guide.stage.id && exam && !exam.passed)
              ? `/annotate/${project.slug}/exam/${guide.stage.id}`
              : null
          }
        />
      ))}
      <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-3 border-t border-line bg-canvas px-4 py-3">
        {!hasReadGuide && (
          <form action={finishGuide.bind(null, project.slug)}>
            <SubmitButton size="large">{t('guide.finish')}</SubmitButton>
          </form>
        )}
        <ButtonLink href="/annotate" variant={hasReadGuide ? 'primary' : 'quiet'} size="large">
          {t('shell.backToWork')}
        </ButtonLink>
      </div>
    </>
  );
}
